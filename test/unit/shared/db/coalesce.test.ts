import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { coalesce } from '../../../../src/shared/db/coalesce.ts';
import { AppError } from '../../../../src/shared/errors.ts';

/**
 * Doubles numbers. `calls` records single items and groups. A negative number rejects its group, and also fails alone.
 */
function newDoubler(options: { maxItems?: number; maxWaitMs?: number; fault?: () => Error | undefined } = {}) {
  const calls: number[][] = [];
  const open: (() => void)[] = [];
  const answer = async (items: readonly number[]): Promise<(number | undefined)[]> => {
    calls.push([...items]);
    await new Promise<void>((resolve) => open.push(resolve));
    const error = options.fault?.();
    if (items.length > 1 && error !== undefined) throw error;
    return items.map((item) => (item < 0 && items.length > 1 ? undefined : item * 2));
  };
  const double = coalesce<number, number>({
    keyOf: (item) => String(Math.abs(item) % 10),
    processOne: async (item) => {
      const [doubled] = await answer([item]);
      if (doubled === undefined || item === -13) throw new Error(`${item} is bad`);
      return doubled;
    },
    processGroup: answer,
    maxItems: options.maxItems ?? 100,
    maxWaitMs: options.maxWaitMs ?? 10_000,
  });
  /** Waits until no call is in progress. */
  const drain = async (): Promise<void> => {
    for (let idle = 0; idle < 3; idle++) {
      await turn();
      for (const end of open.splice(0)) {
        end();
        idle = 0;
      }
    }
  };
  return { calls, double, drain };
}

describe('coalesce', () => {
  it('processes the first item at once and alone, and later items together in order', async () => {
    const { calls, double, drain } = newDoubler();
    const answers = Promise.all([3, 13, 23, 33].map(double));
    expect(calls).toEqual([[3]]);
    await drain();
    expect(await answers).toEqual([6, 26, 46, 66]);
    expect(calls).toEqual([[3], [13, 23, 33]]);
  });

  it('starts over once nothing is in progress', async () => {
    const { calls, double, drain } = newDoubler();
    for (const item of [3, 13]) {
      const answer = double(item);
      await drain();
      expect(await answer).toBe(item * 2);
    }
    expect(calls).toEqual([[3], [13]]);
  });

  it('processes different keys concurrently', async () => {
    const { calls, double, drain } = newDoubler();
    const answers = Promise.all([1, 2, 11, 12].map(double));
    expect(calls).toEqual([[1], [2]]);
    await drain();
    expect(await answers).toEqual([2, 4, 22, 24]);
    expect(calls.slice(2)).toEqual([[11], [12]]);
  });

  it('takes no more items at a time than allowed', async () => {
    const { calls, double, drain } = newDoubler({ maxItems: 3 });
    const answers = Promise.all(Array.from({ length: 8 }, (_, index) => double(10 * index)));
    await drain();
    expect(await answers).toHaveLength(8);
    expect(calls.map((call) => call.length)).toEqual([1, 3, 3, 1]);
  });

  it('processes items alone if they cannot be grouped, without delaying the next group', async () => {
    const { calls, double, drain } = newDoubler();
    const answers = Promise.allSettled([3, -13, 23, -33].map(double));
    await drain();
    expect((await answers).map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.status))).toEqual([
      6,
      'rejected',
      46,
      -66,
    ]);
    expect(calls).toEqual([[3], [-13, 23, -33], [-13], [-33]]);
  });

  it('tries each item alone after an error, but none after an outage', async () => {
    const bad = newDoubler({ fault: () => new Error('one of them is bad') });
    const answers = Promise.all([3, 13, 23].map(bad.double));
    await bad.drain();
    expect(await answers).toEqual([6, 26, 46]);
    expect(bad.calls).toEqual([[3], [13, 23], [13], [23]]);

    const away = newDoubler({ fault: () => new AppError('unavailable', 'away') });
    const outcomes = Promise.allSettled([3, 13, 23].map(away.double));
    await away.drain();
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(away.calls).toEqual([[3], [13, 23]]);
  });

  it('rejects items that waited too long, and continues with later ones', async () => {
    const { calls, double, drain } = newDoubler({ maxWaitMs: 50 });
    const early = Promise.allSettled([3, 13].map(double));
    await delay(80);
    const late = double(23);
    await drain();
    expect((await early).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await late).toBe(46);
    expect(calls).toEqual([[3], [23]]);
  });
});
