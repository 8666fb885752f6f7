import { describe, expect, test } from 'vitest';
import { readYesOrNo } from '../../../../src/shared/cells/read-yes-or-no.ts';
import { takesYesOrNo } from '../../../../src/shared/cells/takes-yes-or-no.ts';

describe('a cell is read as yes or no', () => {
  test.each([
    ...['true', 'TRUE', 'True', 'yes', 'Y', '1', 'x', 'X', ' ja ', 'J', 'Oui', 'si', 'sí', 'Sì'],
    ...['si\u0300', 'sim', 'tak', 'WAHR', 'VRAI', 'VERDADERO', 'VERO', 'VERDADEIRO', 'WAAR', 'PRAWDA'],
    ...['ano', 'áno', 'igen', 'da', 'Kyllä', 'Evet', 'ναι', 'Да', '\u00a0yes\u00a0', '\uff11'],
  ])('%j is yes', (cell) => {
    expect(readYesOrNo(cell)).toBe(true);
  });

  test.each([
    ...['', ' ', 'false', 'FALSE', 'no', 'N', '0', 'nein', ' NEIN', 'non', 'não', 'NAO', 'nee', 'nej'],
    ...['nei', 'nie', 'ne', 'FALSCH', 'FAUX', 'FALSO', 'ONWAAR', 'FAŁSZ', 'nem', 'ei', 'hayır', 'HAYIR'],
    ...['όχι', 'Нет', 'nu', 'f'],
  ])('%j is no', (cell) => {
    expect(readYesOrNo(cell)).toBe(false);
  });

  test.each([
    ...['vielleicht', 'o', '-', '2', '-1', '1.0', '01', 'ja?', 'ja nein', 'n/a', 'null', 'not'],
    ...['yes or no', 'passed', '{}', '[]', 'constructor', '\u200b'],
  ])('%j is neither', (cell) => {
    expect(readYesOrNo(cell)).toBeUndefined();
  });
});

describe('a value of a template takes yes or no', () => {
  const boolean = { type: 'boolean' };
  const schema = {
    type: 'object',
    properties: {
      passed: boolean,
      name: { type: 'string' },
      person: { type: 'object', properties: { isMember: boolean } },
      modules: { type: 'array', items: { type: 'object', properties: { passed: boolean, title: { type: 'string' } } } },
      answers: { type: 'object', additionalProperties: boolean },
      flags: { type: 'array', items: boolean },
      photo: {},
    },
  };

  test.each([
    [['passed'], true],
    [['person', 'isMember'], true],
    [['modules', 3, 'passed'], true],
    [['answers', 'first'], true],
    [['flags', 1], true],
    [['name'], false],
    [['modules'], false],
    [['modules', 0, 'title'], false],
    [['photo'], false],
    [['unknown'], false],
    [['toString'], false],
    // A section of which the values are given one by one is a list or an object after all.
    [['passed', 'title'], false],
    [['passed', 0, 'title'], false],
  ])('%j: %s', (path, expected) => {
    expect(takesYesOrNo(schema, path)).toBe(expected);
  });

  test('nothing does in a template without a schema', () => {
    expect(takesYesOrNo(undefined, ['passed'])).toBe(false);
    expect(takesYesOrNo({ $comment: 'more names than a schema lists' }, ['passed'])).toBe(false);
  });
});
