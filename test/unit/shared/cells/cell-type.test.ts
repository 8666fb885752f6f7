import { describe, expect, test } from 'vitest';
import { cellTypeAt } from '../../../../src/shared/cells/cell-type.ts';

describe('a cell has the type of its field in the data', () => {
  const boolean = { type: 'boolean' };
  const schema = {
    type: 'object',
    properties: {
      passed: boolean,
      name: { type: 'string' },
      total: { type: 'number' },
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      link: { type: 'string', format: 'uri' },
      person: { type: 'object', properties: { isMember: boolean } },
      modules: {
        type: 'array',
        items: { type: 'object', properties: { passed: boolean, hours: { type: 'integer' } } },
      },
      answers: { type: 'object', additionalProperties: boolean },
      flags: { type: 'array', items: boolean },
      photo: {},
      picture: { anyOf: [{ type: 'string' }, { type: 'object' }] },
      grade: { type: ['boolean', 'object', 'array'] },
      discount: { anyOf: [{ type: 'boolean' }, { type: 'object', properties: { rate: { type: 'number' } } }] },
      bonus: {
        type: ['object', 'array', 'boolean'],
        properties: { rate: { type: 'number' } },
        items: { type: 'object', properties: { rate: { type: 'number' } } },
      },
      rate: { type: ['number', 'null'] },
    },
  };

  test.each([
    [['passed'], 'yesNo'],
    [['person', 'isMember'], 'yesNo'],
    [['modules', 3, 'passed'], 'yesNo'],
    [['answers', 'first'], 'yesNo'],
    [['flags', 1], 'yesNo'],
    [['total'], 'number'],
    [['modules', 0, 'hours'], 'number'],
    [['day'], 'date'],
    [['at'], 'date'],
    [['link'], 'text'],
    [['name'], 'text'],
    // A section over the list is shown for any string.
    [['modules'], 'yesNo'],
    [['person'], 'yesNo'],
    [['grade'], 'yesNo'],
    [['discount'], 'yesNo'],
    [['discount', 'rate'], 'number'],
    [['bonus'], 'yesNo'],
    [['bonus', 'rate'], 'number'],
    [['bonus', 1, 'rate'], 'number'],
    [['rate'], 'number'],
    [['picture'], 'text'],
    [['photo'], 'text'],
    [['unknown'], 'text'],
    [['toString'], 'text'],
    // A section whose values are set one by one is a list or an object after all.
    [['passed', 'title'], 'text'],
    [['passed', 0, 'title'], 'text'],
  ])('%j: %s', (path, expected) => {
    expect(cellTypeAt(schema, path)).toBe(expected);
  });

  test('a cell is text in a template about which nothing is known', () => {
    expect(cellTypeAt(undefined, ['passed'])).toBe('text');
    expect(cellTypeAt({ $comment: 'more names than a schema lists' }, ['passed'])).toBe('text');
  });
});
