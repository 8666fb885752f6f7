import { describe, expect, test } from 'vitest';
import { placeSpan, roundTicks, timeTicks } from '../../../../src/console/ui/chart-scale.ts';

describe('ticks of an axis', () => {
  test.each([
    [4, [0, 1, 2, 3, 4]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [97, [0, 50, 100]],
    [1_534, [0, 500, 1_000, 1_500, 2_000]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [8_000_000, [0, 2_000_000, 4_000_000, 6_000_000, 8_000_000]],
  ])('%d gets an axis with round values', (max, expected) => {
    expect(roundTicks(max, 4, max >= 1)).toEqual(expected);
  });

  test.each([0, -3, Number.NaN, Number.POSITIVE_INFINITY])('%d still gets an axis', (max) => {
    expect(roundTicks(max, 4)).toEqual([0, 1]);
  });

  test('every maximum gets an axis with few ticks', () => {
    for (let max = 0.001; max < 1e12; max *= 1.37) {
      const ticks = roundTicks(max, 5);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max * (1 - 1e-9));
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
    }
  });
});

describe('ticks of a time axis', () => {
  const [second, minute, hour] = [1_000, 60_000, 3_600_000];
  test.each([
    [1_534, [0, 500, 1_000, 1_500, 2_000]],
    [97 * second, [0, 30 * second, minute, 90 * second, 2 * minute]],
    [10 * minute, [0, 5 * minute, 10 * minute]],
    [83 * minute, [0, 30 * minute, hour, 90 * minute]],
    [70 * hour, [0, 24 * hour, 48 * hour, 72 * hour]],
  ])('%d ms get ticks at familiar times', (maxMs, expected) => {
    expect(timeTicks(maxMs)).toEqual(expected);
  });

  test('every length gets at most five ticks in equal steps', () => {
    for (let maxMs = 0.5; maxMs < 1e11; maxMs *= 1.13) {
      const ticks = timeTicks(maxMs);
      const [, step = 0] = ticks;
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(maxMs * (1 - 1e-9));
      expect(ticks.length).toBeLessThanOrEqual(5);
      for (const [index, tick] of ticks.entries()) expect(tick).toBeCloseTo(index * step, 6);
    }
  });
});

describe('a span on an axis', () => {
  const axis = { startMs: 1_000, endMs: 2_000 };

  test('is placed at its start and end', () => {
    expect(placeSpan({ startMs: 1_250, endMs: 1_750 }, axis)).toEqual({ left: 25, width: 50 });
  });

  test('is visible even if it takes no time, also at the end of the axis', () => {
    expect(placeSpan({ startMs: 2_000, endMs: 2_000 }, axis, 1)).toEqual({ left: 99, width: 1 });
  });

  test('never leaves the axis, whatever the clocks of two machines say', () => {
    expect(placeSpan({ startMs: 500, endMs: 9_000 }, axis)).toEqual({ left: 0, width: 100 });
    expect(placeSpan({ startMs: 1_500, endMs: 1_200 }, axis, 1)).toEqual({ left: 50, width: 1 });
    expect(placeSpan({ startMs: 5, endMs: 5 }, { startMs: 5, endMs: 5 }, 1)).toEqual({ left: 0, width: 1 });
  });
});
