import { describe, expect, test } from 'vitest';
import { mergeNewest } from '../../../../src/console/ui/merge-newest.ts';

const entry = (id: string, state = 'open') => ({ id, state });

describe('a list that stays up to date', () => {
  test('changes entries in place and sets new ones aside', () => {
    const shown = [entry('d3'), entry('d2'), entry('d1')];
    const { entries, fresh } = mergeNewest(shown, [entry('d5'), entry('d4'), entry('d3', 'ended'), entry('d2')]);
    expect(entries).toEqual([entry('d3', 'ended'), entry('d2'), entry('d1')]);
    expect(fresh).toEqual([entry('d5'), entry('d4')]);
  });

  test('keeps an entry that no longer matches the filter, and adds none that is older than the list', () => {
    const { entries, fresh } = mergeNewest(
      [entry('d5'), entry('d3')],
      [entry('d4'), entry('d3', 'ended'), entry('d1')],
    );
    expect(entries).toEqual([entry('d5'), entry('d3', 'ended')]);
    expect(fresh).toEqual([]);
  });

  test('counts every entry as new if it is empty', () => {
    expect(mergeNewest([], [entry('d1')])).toEqual({ entries: [], fresh: [entry('d1')] });
  });
});
