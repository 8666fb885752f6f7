import { expect, test } from 'vitest';
import { locateProblems as locate } from '../../../../../src/console/templates/problems/locate-problems.ts';
import { type Problem, warningsOf } from '../../../../../src/console/templates/problems/problem.ts';

const run = (text: string, x = 0, y = 0) => ({
  text,
  x,
  y,
  width: text.length * 10,
  height: 12,
  fontFamily: 'monospace',
});
const locateProblems = (problems: Parameters<typeof locate>[0], pages: Parameters<typeof locate>[1]) =>
  locate(problems, pages, (text) => text.length);
const mistake = (fields: Partial<Problem>): Problem => ({ kind: 'mistake', message: 'wrong', ...fields });

test('a tag is found by the text around it, and its own characters are marked', () => {
  const pages = [[run('Invoice')], [run('Dear {customer.nme},', 100, 50)]];
  expect(locateProblems([mistake({ context: '…Dear {customer.nme},', tag: '{customer.nme}' })], pages)).toEqual([
    { page: 1, boxes: [{ x: 150, y: 50, width: 140, height: 12 }] },
  ]);
});

test('a tag is marked by the widths of its letters', () => {
  const widths: Readonly<Record<string, number>> = { W: 3 };
  const width = (text: string) => [...text].reduce((sum, letter) => sum + (widths[letter] ?? 1), 0);
  const pages = [[{ ...run('WW {a} W'), width: 140 }]];
  expect(locate([mistake({ tag: '{a}' })], pages, width)[0]?.boxes).toMatchObject([
    { x: expect.closeTo(70), width: expect.closeTo(30) },
  ]);
});

test('a tag over several runs and lines has a box for each', () => {
  const pages = [[run('Total {items', 0, 0), run('.price', 0, 20), run('}', 60, 20)]];
  const [found] = locateProblems([mistake({ context: 'Total {items.price}', tag: '{items.price}' })], pages);
  expect(found?.boxes).toHaveLength(3);
  expect(found?.boxes.map(({ y }) => y)).toEqual([0, 20, 20]);
});

test('two identical mistakes are found in two places, and a third one in the first place again', () => {
  const pages = [[run('{#a}')], [run('{#a}')]];
  const same = mistake({ context: '{#a}', tag: '{#a}' });
  expect(locateProblems([same, same, same], pages).map((found) => found?.page)).toEqual([0, 1, 0]);
});

test('a tag is found without its context, and a tag that does not occur has no position', () => {
  const pages = [[run('x {name} y')]];
  const problems = [mistake({ context: 'other {name} text', tag: '{name}' }), mistake({ tag: '{gone}' }), mistake({})];
  expect(locateProblems(problems, pages).map((found) => found?.page)).toEqual([0, undefined, undefined]);
});

test('a warning about a value is found at the tag of its path', () => {
  const pages = [[run('{#items}{price|money}{/items}')]];
  const warning: Problem = { kind: 'warning', message: 'changed', paths: ['items[].price'] };
  expect(locateProblems([warning], pages)[0]?.page).toBe(0);
});

test('a warning is found at the tag with which it begins, and has no position without a visible tag', () => {
  const message = '{logo} is in the alternative text of a picture, where tags are not filled.';
  const problems = warningsOf(
    [
      { code: 'tracked_changes', message: 'Documents show the tracked changes of the template.', part: 'body' },
      { code: 'tag_not_filled', message, part: 'body' },
      { code: 'unlikely_tag', message: '{12} is a tag, and prints as written when the data has no such key.' },
    ],
    '{ }',
  );
  const places = locateProblems(problems, [[run('{logo}'), run('No. {12}')]]);
  expect(places.map((place) => place?.page)).toEqual([undefined, undefined, 0]);
});

test('the tag of a warning is read with the delimiters of its template', () => {
  const message = '<<12>> is a tag, and prints as written when the data has no such key.';
  expect(warningsOf([{ code: 'unlikely_tag', message }], '<< >>')[0]?.tag).toBe('<<12>>');
  const other = { code: 'foreign_syntax', message: 'Texts between { and } print as they are.' };
  expect(warningsOf([other], '{{ }}')[0]).not.toHaveProperty('tag');
});

test('characters of regular expressions in a context are plain text', () => {
  const pages = [[run('a+b (c) [d] {x.*}')]];
  expect(locateProblems([mistake({ context: '(c) [d] {x.*}', tag: '{x.*}' })], pages)[0]?.page).toBe(0);
});
