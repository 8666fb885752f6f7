import { expect, test } from 'vitest';
import { alternate, orderOf } from '../../../bench/harness/rounds.ts';
import { byRound, quantile, spreadOf } from '../../../bench/harness/statistics.ts';

test('rounds turn and reverse: over all of them each side is first as often as any other, and last', () => {
  const sides = ['a', 'b', 'c'];
  const orders = Array.from({ length: 6 }, (_, round) => orderOf(sides, round));
  for (const order of orders) expect(order.toSorted()).toEqual(sides);
  for (const side of sides) {
    expect(orders.filter((order) => order[0] === side)).toHaveLength(2);
    expect(orders.filter((order) => order.at(-1) === side)).toHaveLength(2);
  }
});

test('each side gets one turn a round, and its samples stay in the order of the rounds', async () => {
  let clock = 0;
  const sides = ['a', 'b'].map((name) => ({ name, run: () => ++clock }));
  const samples = await alternate(sides, 4);
  expect(samples.get('a')).toEqual([1, 4, 6, 7]);
  expect(samples.get('b')).toEqual([2, 3, 5, 8]);
});

test('ratios pair the turns of one round', () => {
  expect(byRound([2, 6, 8], [1, 2, 4], (a, b) => a / b)).toEqual([2, 3, 2]);
});

test('quantiles lie between the nearest samples; there are none of nothing', () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(spreadOf([5, 1, 2, 3, 4])).toMatchObject({ median: 3, lowerQuartile: 2, upperQuartile: 4 });
  expect(quantile([], 0.5)).toBeNaN();
});
