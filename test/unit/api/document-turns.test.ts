import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDocumentTurns, measureLoopDelay } from '../../../src/api/generation/document-turns.ts';
import type { Permit } from '../../../src/shared/keyed-limiter.ts';

const maxPerAccount = 100;
let delayMs = 0;
const newTurns = () => createDocumentTurns({ maxPerAccount, readDelayMs: () => delayMs });

beforeEach(() => {
  delayMs = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Asks for many turns of an account and collects those that are granted. */
function ask(turns: ReturnType<typeof newTurns>, accountId: string, count: number): Permit[] {
  const granted: Permit[] = [];
  for (let index = 0; index < count; index++) {
    void turns.acquire(accountId, 30_000).then((permit) => permit !== undefined && granted.push(permit));
  }
  return granted;
}

it('an account that is alone has the whole limit', async () => {
  const turns = newTurns();
  const granted = ask(turns, 'b', 150);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(granted).toHaveLength(maxPerAccount);
});

it('the limit shrinks to two while the process is late and another account is active', async () => {
  const turns = newTurns();
  ask(turns, 'c', 1);
  const granted = ask(turns, 'b', 150);
  delayMs = 5;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(granted.length).toBeLessThanOrEqual(4);
  expect(turns.limit()).toBe(2);
  // The other account is served at once.
  expect(ask(turns, 'c', 1)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(0);
  for (const permit of granted.splice(0)) permit.release();
  await vi.advanceTimersByTimeAsync(100);
  expect(granted).toHaveLength(2);
});

it('the limit grows while requests wait and the process is on time', async () => {
  const turns = newTurns();
  ask(turns, 'c', 1);
  const granted = ask(turns, 'b', 150);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(granted).toHaveLength(maxPerAccount);
});

it('an unused limit does not grow, so that a burst after a calm time is still small', async () => {
  const turns = newTurns();
  for (let second = 0; second < 10; second++) {
    const granted = ['b', 'c'].map((account) => ask(turns, account, 1));
    await vi.advanceTimersByTimeAsync(1_000);
    for (const permit of granted.flat()) permit.release();
  }
  expect(turns.limit()).toBe(4);
});

it('the whole limit is back two seconds after the other account ended', async () => {
  const turns = newTurns();
  const other = ask(turns, 'c', 1);
  const granted = ask(turns, 'b', 150);
  delayMs = 5;
  await vi.advanceTimersByTimeAsync(1_000);
  for (const permit of other) permit.release();
  await vi.advanceTimersByTimeAsync(2_200);
  expect(turns.limit()).toBe(maxPerAccount);
  expect(granted).toHaveLength(maxPerAccount);
});

it('a request that does not get its turn in time gets none', async () => {
  const turns = createDocumentTurns({ maxPerAccount: 1, readDelayMs: () => 0 });
  const results: (Permit | undefined)[] = [];
  for (let index = 0; index < 2; index++) void turns.acquire('b', 1_000).then((permit) => results.push(permit));
  await vi.advanceTimersByTimeAsync(1_100);
  expect(results.map((permit) => permit === undefined)).toEqual([false, true]);
});

it('the delay of the event loop is measured between two readings', async () => {
  vi.useRealTimers();
  const read = measureLoopDelay();
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(50);
  read();
  await pause(20);
  const endsAt = performance.now() + 200;
  while (performance.now() < endsAt);
  await pause(20);
  expect(read()).toBeGreaterThan(10);
});
