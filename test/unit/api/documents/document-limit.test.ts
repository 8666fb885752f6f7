import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDocumentLimit, measureLoopDelay } from '../../../../src/api/documents/document-limit.ts';
import type { Permit } from '../../../../src/shared/keyed-limiter.ts';

const maxPerAccount = 100;
let delayMs = 0;
const maxLargePerAccount = 12;
const newLimit = () => createDocumentLimit({ maxPerAccount, maxLargePerAccount, readDelayMs: () => delayMs });

beforeEach(() => {
  delayMs = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Asks for many permits of an account and returns those that are granted. */
function ask(limit: ReturnType<typeof newLimit>, accountId: string, count: number, bodyBytes = 1_000): Permit[] {
  const granted: Permit[] = [];
  for (let index = 0; index < count; index++) {
    void limit.acquire(accountId, bodyBytes, 30_000).then((permit) => permit !== undefined && granted.push(permit));
  }
  return granted;
}

it('an account that is alone may use the whole limit', async () => {
  const limit = newLimit();
  const granted = ask(limit, 'b', 150);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(granted).toHaveLength(maxPerAccount);
});

it('the limit shrinks to two while the process is late and another account is active', async () => {
  const limit = newLimit();
  ask(limit, 'c', 1);
  const granted = ask(limit, 'b', 150);
  delayMs = 5;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(granted.length).toBeLessThanOrEqual(4);
  expect(limit.current()).toBe(2);
  // The other account gets a permit at once.
  expect(ask(limit, 'c', 1)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(0);
  for (const permit of granted.splice(0)) permit.release();
  await vi.advanceTimersByTimeAsync(100);
  expect(granted).toHaveLength(2);
});

it('the limit grows while requests wait and the process is on time', async () => {
  const limit = newLimit();
  ask(limit, 'c', 1);
  const granted = ask(limit, 'b', 150);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(granted).toHaveLength(maxPerAccount);
});

it('an unused limit does not grow, so that a burst after a quiet period stays small', async () => {
  const limit = newLimit();
  for (let second = 0; second < 10; second++) {
    const granted = ['b', 'c'].map((account) => ask(limit, account, 1));
    await vi.advanceTimersByTimeAsync(1_000);
    for (const permit of granted.flat()) permit.release();
  }
  expect(limit.current()).toBe(4);
});

it('the whole limit is back two seconds after the other account finished', async () => {
  const limit = newLimit();
  const other = ask(limit, 'c', 1);
  const granted = ask(limit, 'b', 150);
  delayMs = 5;
  await vi.advanceTimersByTimeAsync(1_000);
  for (const permit of other) permit.release();
  await vi.advanceTimersByTimeAsync(2_200);
  expect(limit.current()).toBe(maxPerAccount);
  expect(granted).toHaveLength(maxPerAccount);
});

it.each([1_000, 5_000_000])('a request that waits too long gets no permit: body of %i bytes', async (bodyBytes) => {
  const limit = createDocumentLimit({ maxPerAccount: 1, maxLargePerAccount: 1, readDelayMs: () => 0 });
  const results: (Permit | undefined)[] = [];
  for (let index = 0; index < 2; index++)
    void limit.acquire('b', bodyBytes, 1_000).then((permit) => results.push(permit));
  await vi.advanceTimersByTimeAsync(1_100);
  expect(results.map((permit) => permit === undefined)).toEqual([false, true]);
});

it('an account may have fewer large bodies in progress, and small bodies do not wait behind them', async () => {
  const limit = newLimit();
  const large = ask(limit, 'b', 30, 6_000_000);
  const small = ask(limit, 'b', 30);
  const others = ask(limit, 'c', 1, 6_000_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(large).toHaveLength(maxLargePerAccount);
  expect(small).toHaveLength(30);
  expect(others).toHaveLength(1);
  large[0]?.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(large).toHaveLength(maxLargePerAccount + 1);
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
