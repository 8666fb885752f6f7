import { expect, it } from 'vitest';
import { compareLists, entriesOf, linesOf } from '../../../../../src/console/templates/versions/compare-text.ts';

const run = (text: string, y: number) => ({ text, y, height: 12 });

it('runs at nearly the same height are one line', () => {
  expect(linesOf([run('Total', 100), run(' 12', 101), run('Thank you', 130)])).toEqual(['Total 12', 'Thank you']);
});

it('a line that was changed is left out before and new after; a moved line is neither', () => {
  expect(compareLists(['Dear Ada', 'Total 12', 'Bye'], ['Bye', 'Total 13', 'Dear Ada'])).toEqual({
    added: ['Total 13'],
    removed: ['Total 12'],
  });
});

it('a line that occurs once more is new once', () => {
  expect(compareLists(['a', 'b'], ['a', 'b', 'a'])).toEqual({ added: ['a'], removed: [] });
});

it('a mapping is compared entry by entry', () => {
  const before = { 'BT-1': 'number', 'BG-25': { each: 'items', 'BT-126': 'position' } };
  expect(compareLists(entriesOf(before), entriesOf({ ...before, 'BT-1': 'id' }))).toEqual({
    added: ['BT-1: "id"'],
    removed: ['BT-1: "number"'],
  });
  expect([entriesOf(null), entriesOf(undefined), entriesOf({})]).toEqual([[], [], []]);
});
