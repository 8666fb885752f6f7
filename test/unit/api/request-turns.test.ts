import { expect, it } from 'vitest';
import { createRequestTurns } from '../../../src/api/http/request-turns.ts';

const nextRound = () => new Promise((resolve) => setImmediate(resolve));

it('a caller starts a few requests in a round, in order of arrival, and another caller is not behind them', async () => {
  const turns = createRequestTurns(2);
  const started: string[] = [];
  const take = (caller: string, name: string): void => turns.take(caller, () => started.push(name));
  for (let index = 0; index < 5; index++) take('b', `b${index}`);
  take('c', 'c0');
  expect(started).toEqual(['b0', 'b1', 'c0']);
  expect(turns.waiting()).toBe(3);
  await nextRound();
  expect(started).toEqual(['b0', 'b1', 'c0', 'b2', 'b3']);
  take('c', 'c1');
  expect(started.at(-1)).toBe('c1');
  take('b', 'b5');
  await nextRound();
  await nextRound();
  expect(started).toEqual(['b0', 'b1', 'c0', 'b2', 'b3', 'c1', 'b4', 'b5']);
  expect(turns.waiting()).toBe(0);
});

it('a request that arrives after a quiet round starts at once', async () => {
  const turns = createRequestTurns(1);
  let started = 0;
  for (let round = 0; round < 3; round++) {
    turns.take('b', () => {
      started += 1;
    });
    expect(started).toBe(round + 1);
    await nextRound();
  }
});
