import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { coalesce } from '../../../../src/shared/db/coalesce.ts';
import { databaseUnavailable } from '../../../../src/shared/db/errors.ts';
import { AppError } from '../../../../src/shared/errors.ts';

interface Options {
  readonly maxItems?: number;
  readonly maxWaitMs?: number;
  /** The error of a group. */
  readonly fault?: (items: readonly number[]) => Error | undefined;
}

/**
 * Doubles numbers, whose key is their last digit. `calls` records the items of each call: in an array if they are
 * processed together, `apart 3 13` for a group of one key, and `one 3` for an item alone. Negative numbers are never
 * processed in a group.
 */
function newDoubler({ maxItems = 100, maxWaitMs = 10_000, fault }: Options = {}) {
  const calls: (readonly number[] | string)[] = [];
  const sizes: number[] = [];
  const open: (() => void)[] = [];
  const answer = async (call: readonly number[] | string, items: readonly number[]) => {
    calls.push(call);
    await new Promise<void>((resolve) => open.push(resolve));
    const error = typeof call === 'string' && call.startsWith('one') ? undefined : fault?.(items);
    if (error !== undefined) throw error;
    return items.map((item) => (item < 0 ? undefined : item * 2));
  };
  const double = coalesce<number, number>({
    keyOf: (item) => String(Math.abs(item) % 10),
    isApart: (item) => item > 1_000,
    processTogether: (items) => answer([...items], items),
    processApart: (items) => answer(`apart ${items.join(' ')}`, items),
    processOne: async (item) => {
      await answer(`one ${item}`, [item]);
      if (item === -13) throw new Error(`${item} is bad`);
      return item * 2;
    },
    maxItems,
    maxWaitMs,
    observe: (size) => sizes.push(size),
  });
  /** Lets the calls that are open now return. */
  const step = async (): Promise<void> => {
    await turn();
    for (const end of open.splice(0)) end();
    await turn();
  };
  /** Waits until no call is in progress. */
  const drain = async (): Promise<void> => {
    for (let idle = 0; idle < 3; idle++) {
      if (open.length > 0) idle = 0;
      await step();
    }
  };
  return { calls, sizes, double, step, drain };
}

const statusOf = (answers: readonly PromiseSettledResult<number>[]) =>
  answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.status));

describe('coalesce', () => {
  it('processes items of all keys that arrive in one round together, and then those that arrived meanwhile', async () => {
    const { calls, sizes, double, drain } = newDoubler();
    const first = Promise.all([3, 14].map(double));
    await turn();
    expect(calls).toEqual([[3, 14]]);
    const second = Promise.all([23, 5].map(double));
    await turn();
    expect(calls).toEqual([[3, 14]]);
    await drain();
    expect([await first, await second]).toEqual([
      [6, 28],
      [46, 10],
    ]);
    expect(calls).toEqual([
      [3, 14],
      [23, 5],
    ]);
    expect(sizes).toEqual([2, 2]);
    const later = double(7);
    await drain();
    expect(await later).toBe(14);
    expect(calls.slice(2)).toEqual([[7]]);
  });

  it('takes no more items at a time than allowed', async () => {
    const { calls, double, drain } = newDoubler({ maxItems: 3 });
    const answers = Promise.all(Array.from({ length: 8 }, (_, index) => double(index)));
    await drain();
    expect(await answers).toHaveLength(8);
    expect(calls.map((call) => call.length)).toEqual([3, 3, 2]);
  });

  it('processes items apart if they cannot be grouped, without delaying those of other keys', async () => {
    const { calls, double, step, drain } = newDoubler();
    const answers = Promise.allSettled([3, -13, 4, -33].map(double));
    await step();
    expect(calls).toEqual([[3, -13, 4, -33], 'apart -13 -33']);
    // The key 3 is apart now, and its later items join it.
    const later = Promise.all([43, 5].map(double));
    await turn();
    expect(calls.slice(2)).toEqual([[5]]);
    await drain();
    expect(statusOf(await answers)).toEqual([6, 'rejected', 8, -66]);
    expect(await later).toEqual([86, 10]);
    expect(calls.slice(3)).toEqual(['one -13', 'one -33', 'one 43']);
    // Once nothing of the key is left, it is processed with the others again.
    const last = double(53);
    await drain();
    expect(await last).toBe(106);
    expect(calls.at(-1)).toEqual([53]);
  });

  it('never processes some items with those of other keys', async () => {
    const { calls, double, drain } = newDoubler();
    const answers = Promise.all([1_003, 1_013, 1_004, 5].map(double));
    await drain();
    expect(await answers).toEqual([2_006, 2_026, 2_008, 10]);
    expect(calls).toEqual(['apart 1003 1013', 'one 1004', [5]]);
  });

  it.each([
    ['an error', () => new Error('one of them is bad')],
    ['a lock that is not free', () => databaseUnavailable(Object.assign(new Error('lock timeout'), { code: '55P03' }))],
  ])('processes the items of each key apart after %s', async (_name, newError) => {
    const { calls, double, drain } = newDoubler({ fault: (items) => (items.includes(14) ? newError() : undefined) });
    const answers = Promise.all([3, 13, 14, 23].map(double));
    await drain();
    expect(await answers).toEqual([6, 26, 28, 46]);
    expect(calls).toEqual([[3, 13, 14, 23], 'apart 3 13 23', 'one 14']);
  });

  it('rejects a whole group in an outage', async () => {
    const { calls, double, drain } = newDoubler({
      fault: (items) => (items.length > 1 ? new AppError('unavailable', 'away') : undefined),
    });
    const outcomes = Promise.allSettled([3, 13, 24].map(double));
    await drain();
    expect(statusOf(await outcomes)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(calls).toEqual([[3, 13, 24]]);
  });

  it('rejects items that waited too long, and continues with later ones', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { calls, double, drain } = newDoubler({ maxWaitMs: 50 });
    const first = double(3);
    await turn();
    const early = Promise.allSettled([first, double(13)]);
    vi.advanceTimersByTime(80);
    const late = double(23);
    await drain();
    expect(statusOf(await early)).toEqual([6, 'rejected']);
    expect(await late).toBe(46);
    expect(calls).toEqual([[3], [23]]);
  });
});
