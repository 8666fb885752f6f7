import { expect, it } from 'vitest';
import { createRoundRobin } from '../../../../src/api/http/round-robin.ts';

const nextRound = () => new Promise((resolve) => setImmediate(resolve));

it('each key starts a few tasks in a round, in order of arrival, and no key waits behind another', async () => {
  const scheduler = createRoundRobin(2);
  const started: string[] = [];
  const schedule = (caller: string, name: string): void => scheduler.schedule(caller, () => started.push(name));
  for (let index = 0; index < 5; index++) schedule('b', `b${index}`);
  schedule('c', 'c0');
  expect(started).toEqual(['b0', 'b1', 'c0']);
  expect(scheduler.waiting()).toBe(3);
  await nextRound();
  expect(started).toEqual(['b0', 'b1', 'c0', 'b2', 'b3']);
  schedule('c', 'c1');
  expect(started.at(-1)).toBe('c1');
  schedule('b', 'b5');
  await nextRound();
  await nextRound();
  expect(started).toEqual(['b0', 'b1', 'c0', 'b2', 'b3', 'c1', 'b4', 'b5']);
  expect(scheduler.waiting()).toBe(0);
});

it('a task that arrives after a quiet round starts at once', async () => {
  const scheduler = createRoundRobin(1);
  let started = 0;
  for (let round = 0; round < 3; round++) {
    scheduler.schedule('b', () => {
      started += 1;
    });
    expect(started).toBe(round + 1);
    await nextRound();
  }
});
