import { describe, expect, test } from 'vitest';
import { dailySeries, shownLabels } from '../../../../src/console/usage/daily-series.ts';
import { chosenRange, daysOf, toUsageRange } from '../../../../src/console/usage/usage-range.ts';

const nowMs = Date.parse('2026-11-23T04:00:00Z');
const none = { days: '', from: '', to: '' };
const amounts = { documents: 0, pages: 0, bytes: 0, failures: 0, cancelled: 0 };

describe("the date range in the page's address", () => {
  test.each([
    [none, '2026-10-25', '2026-11-23', '30'],
    [{ ...none, days: '7' }, '2026-11-17', '2026-11-23', '7'],
    [{ ...none, days: '9999' }, '2026-10-25', '2026-11-23', '30'],
    [{ ...none, from: '2026-02-01', to: '2026-02-28' }, '2026-02-01', '2026-02-28', 'custom'],
    [{ ...none, from: '2026-02-28', to: '2026-02-01' }, '2026-02-01', '2026-02-28', 'custom'],
    [{ ...none, from: '2020-01-01', to: '2026-12-31' }, '2025-12-31', '2026-12-31', 'custom'],
    [{ ...none, from: '2026-13-99', to: '<b>' }, '2026-10-25', '2026-11-23', 'custom'],
  ])('%j is %s to %s', (values, from, to, chosen) => {
    expect(toUsageRange(values, nowMs)).toEqual({ from, to });
    expect(chosenRange(values)).toBe(chosen);
  });

  test('contains every day, also when clocks change and in leap years', () => {
    expect(daysOf({ from: '2028-02-27', to: '2028-03-01' })).toEqual([
      '2028-02-27',
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ]);
    expect(daysOf({ from: '2026-03-28', to: '2026-03-30' })).toHaveLength(3);
    expect(daysOf(toUsageRange({ ...none, days: '365' }, nowMs))).toHaveLength(365);
  });
});

describe('documents per day', () => {
  const range = { from: '2026-11-01', to: '2026-11-03' };

  test('are zero for days without documents, and failures are drawn separately', () => {
    const { series, days } = dailySeries(range, [{ ...amounts, day: '2026-11-02', documents: 5, failures: 2 }]);
    expect(series).toEqual([undefined]);
    expect(days.map(({ documents, failures }) => [documents, failures])).toEqual([
      [0, 0],
      [5, 2],
      [0, 0],
    ]);
  });

  test('show the template with the most documents first, and all others last', () => {
    const { series, days } = dailySeries(range, [
      { ...amounts, day: '2026-11-01', templateId: 'a', documents: 1 },
      { ...amounts, day: '2026-11-01', templateId: 'b', documents: 4 },
      { ...amounts, day: '2026-11-03', documents: 9 },
      { ...amounts, day: '2026-11-03', templateId: 'b', documents: 2 },
    ]);
    expect(series).toEqual(['b', 'a', undefined]);
    expect(days.map(({ parts }) => parts)).toEqual([
      [4, 1, 0],
      [0, 0, 0],
      [2, 0, 9],
    ]);
    expect(days[2]?.documents).toBe(11);
  });

  test('combine all templates beyond the sixth', () => {
    const groups = Array.from({ length: 9 }, (_, index) => ({
      ...amounts,
      day: '2026-11-01',
      templateId: `t${index}`,
      documents: 10 - index,
    }));
    const { series, days } = dailySeries(range, groups);
    expect(series).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', undefined]);
    expect(days[0]?.parts).toEqual([10, 9, 8, 7, 6, 5, 4 + 3 + 2]);
  });

  test('never go below the axis because of refunds', () => {
    expect(dailySeries(range, [{ ...amounts, day: '2026-11-01', documents: -3 }]).days[0]?.documents).toBe(0);
  });

  test('have labels that do not touch, and the last day has one', () => {
    expect([...shownLabels(7, 700, 64)]).toHaveLength(7);
    const shown = shownLabels(365, 300, 64);
    expect(shown.has(364)).toBe(true);
    expect(shown.size).toBeLessThanOrEqual(5);
    expect(shownLabels(0, 300, 64).size).toBe(0);
  });
});
