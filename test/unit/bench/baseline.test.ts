import { expect, test } from 'vitest';
import { figure } from '../../../bench/harness/report.ts';
import { type Baseline, compareWithBaseline } from '../../../bench/smoke/baseline.ts';

const machine = { model: 'any', cores: 2, memoryGb: 8, system: 'linux', loadBefore: 0 };

function baselineOf(...figures: Baseline['figures']): Baseline {
  return { begunAt: '2026-01-01T00:00:00.000Z', commit: 'abc', machine, versions: {}, figures };
}

function verdictOf(
  samples: readonly number[],
  unit: 'times' | 'ms',
  before: { median: number; error: number },
): string {
  const [compared] = compareWithBaseline([figure('one', unit, samples)], baselineOf({ name: 'one', unit, ...before }));
  return compared?.verdict ?? '';
}

const steady = [1.98, 1.99, 2, 2, 2.01, 2.02, 2];

test('a stable ratio that fell by a fifth is worse, and one that rose by a fifth is better', () => {
  expect(verdictOf(steady, 'times', { median: 2.5, error: 0.02 })).toBe('worse');
  expect(verdictOf(steady, 'times', { median: 1.6, error: 0.02 })).toBe('better');
});

test('a latency that grew is worse, and one that shrank is better', () => {
  expect(verdictOf(steady, 'ms', { median: 1, error: 0.02 })).toBe('worse');
  expect(verdictOf(steady, 'ms', { median: 4, error: 0.02 })).toBe('better');
});

test('a difference below 15 percent or half a millisecond is not a change, however stable the figure', () => {
  expect(verdictOf(steady, 'times', { median: 2.3, error: 0 })).toBe('as before');
  expect(verdictOf(steady, 'ms', { median: 1.6, error: 0 })).toBe('as before');
});

test('the spread of both runs widens the margin', () => {
  const restless = [1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6];
  expect(verdictOf(restless, 'times', { median: 2.5, error: 0.02 })).toBe('as before');
  expect(verdictOf(steady, 'times', { median: 2.5, error: 0.2 })).toBe('as before');
});

test('one bad round in seven does not make a figure worse', () => {
  expect(verdictOf([2, 2.01, 1.99, 0.4, 2, 2.02, 1.98], 'times', { median: 2, error: 0.02 })).toBe('as before');
});

test('a run that varies by as much as its value is too noisy, unless it is clearly worse', () => {
  const wild = [0.5, 1, 1.5, 2, 2.5, 3, 3.5];
  expect(verdictOf(wild, 'times', { median: 2, error: 0.3 })).toBe('too noisy');
  expect(verdictOf(wild, 'times', { median: 20, error: 0.3 })).toBe('worse');
});

test('figures that only one of the two runs measured are listed', () => {
  const compared = compareWithBaseline(
    [figure('new', 'times', [1])],
    baselineOf({ name: 'old', unit: 'times', median: 1, error: 0 }),
  );
  expect(compared.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual(['new: new', 'old: missing']);
});
