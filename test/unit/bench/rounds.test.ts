import { expect, test } from 'vitest';
import { alternate, inRound } from '../../../bench/harness/rounds.ts';
import { byRound, quantile, spreadOf } from '../../../bench/harness/statistics.ts';

test('rounds rotate and reverse, so that each contender is first and last equally often', () => {
  const contenders = ['a', 'b', 'c'];
  const orders = Array.from({ length: 6 }, (_, round) => inRound(contenders, round));
  for (const order of orders) expect(order.toSorted()).toEqual(contenders);
  for (const contender of contenders) {
    expect(orders.filter((order) => order[0] === contender)).toHaveLength(2);
    expect(orders.filter((order) => order.at(-1) === contender)).toHaveLength(2);
  }
});

test('each contender runs once per round, and its samples stay in the order of the rounds', async () => {
  let clock = 0;
  const contenders = ['a', 'b'].map((name) => ({ name, run: () => ++clock }));
  const samples = await alternate(contenders, 4);
  expect(samples.get('a')).toEqual([1, 4, 6, 7]);
  expect(samples.get('b')).toEqual([2, 3, 5, 8]);
});

test('ratios compare runs within the same round', () => {
  expect(byRound([2, 6, 8], [1, 2, 4], (a, b) => a / b)).toEqual([2, 3, 2]);
});

test('quantiles interpolate between the nearest samples, and are NaN without samples', () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(spreadOf([5, 1, 2, 3, 4])).toMatchObject({ median: 3, lowerQuartile: 2, upperQuartile: 4 });
  expect(quantile([], 0.5)).toBeNaN();
});
