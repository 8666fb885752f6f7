import { expect, it } from 'vitest';
import { createTurns } from '../../../src/shared/keyed-limiter.ts';

/** Work that ends when it is told to, and what has begun. */
function newWork() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) => () =>
    new Promise<number>((resolve) => {
      begun.push(index);
      ends[index] = () => resolve(index);
    });
  const end = async (index: number) => {
    ends[index]?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, work, end };
}

it('lets so many of a key go on at once, and the others in their order', async () => {
  const { begun, work, end } = newWork();
  const inTurn = createTurns({ mostAtOnce: 2, mostWaitMs: 60_000 });
  const done = [0, 1, 2, 3].map((index) => inTurn('a', work(index)));
  const other = inTurn('b', work(9));
  expect(begun).toEqual([0, 1, 9]);
  await end(1);
  expect(begun).toEqual([0, 1, 9, 2]);
  await end(2);
  await end(3);
  await end(0);
  await end(9);
  expect(await Promise.all([...done, other])).toEqual([0, 1, 2, 3, 9]);
});

it('goes on after work that fails', async () => {
  const inTurn = createTurns({ mostAtOnce: 1, mostWaitMs: 60_000 });
  const failed = inTurn('a', () => Promise.reject(new Error('x')));
  const next = inTurn('a', async () => 'done');
  await expect(failed).rejects.toThrow('x');
  expect(await next).toBe('done');
  expect(await inTurn('a', async () => 'again')).toBe('again');
});

it('refuses what has waited too long, and keeps the place of no one else', async () => {
  const { begun, work, end } = newWork();
  const inTurn = createTurns({ mostAtOnce: 1, mostWaitMs: 20 });
  const first = inTurn('a', work(0));
  await expect(inTurn('a', work(1))).rejects.toMatchObject({ code: 'unavailable' });
  await end(0);
  expect(await first).toBe(0);
  const last = inTurn('a', work(2));
  await end(2);
  expect(await last).toBe(2);
  expect(begun).toEqual([0, 2]);
});
