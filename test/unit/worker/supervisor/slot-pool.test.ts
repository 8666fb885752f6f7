import { describe, expect, it, vi } from 'vitest';
import { SlotUnresponsive } from '../../../../src/worker/supervisor/slot-pool.ts';
import { FakeSlot, latch, poolOf } from './fake-slots.ts';

const numberOf = async (slot: FakeSlot): Promise<number> => slot.number;

describe('a pool of supervised slots', () => {
  it('serves requests in order, one at a time per slot', async () => {
    const { pool } = poolOf();
    await pool.start();
    const first = latch();
    const order: string[] = [];
    const uses = [
      pool.use(async () => {
        await first.opened;
        order.push('first');
      }),
      pool.use(async () => void order.push('second')),
    ];
    expect(pool.counts()).toMatchObject({ warm: 1, busy: 1, waiting: 1 });
    first.open();
    await Promise.all(uses);
    expect(order).toEqual(['first', 'second']);
    expect(pool.counts()).toMatchObject({ busy: 0, waiting: 0 });
  });

  it('gives up its start when it is closed', async () => {
    const ended = latch();
    const start = async (signal: AbortSignal): Promise<FakeSlot> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.open();
          reject(signal.reason);
        });
      });
    const { pool } = poolOf({ start });
    const starting = pool.start();
    await pool.close();
    await expect(starting).rejects.toThrow('the pool is closing');
    await ended.opened;
  });

  it('counts the waiting requests of an account', async () => {
    const { pool } = poolOf();
    await pool.start();
    const blocked = latch();
    const uses = ['a', 'b', 'a'].map((account) => pool.use(() => blocked.opened, { account }));
    expect([pool.waitingOf('a'), pool.waitingOf('b'), pool.waitingOf('c')]).toEqual([1, 1, 0]);
    blocked.open();
    await Promise.all(uses);
    expect(pool.waitingOf('a')).toBe(0);
  });

  it('lets a caller stop waiting', async () => {
    const { pool } = poolOf();
    await pool.start();
    const blocked = latch();
    const running = pool.use(() => blocked.opened);
    const controller = new AbortController();
    const waiting = pool.use(numberOf, { signal: controller.signal });
    controller.abort(new Error('the caller left'));
    await expect(waiting).rejects.toThrow('the caller left');
    expect(pool.counts().waiting).toBe(0);
    blocked.open();
    await running;
  });

  it('replaces a slot that ends while it is idle', async () => {
    const { pool, started } = poolOf({ starts: 'quick' });
    await pool.start();
    started[0]?.die();
    await vi.waitFor(() => expect(pool.counts()).toMatchObject({ warm: 1, restarts: 1, kills: 0 }));
    expect(await pool.use(numberOf)).toBe(2);
  });

  it('replaces a slot that is killed while it is busy, counts the kill and fails only its request', async () => {
    const { pool } = poolOf({ starts: 'quick' });
    await pool.start();
    const killed = pool.use(async (slot) => {
      slot.wasKilled = true;
      await slot.destroy();
      throw new Error('too slow');
    });
    const next = pool.use(numberOf);
    await expect(killed).rejects.toThrow('too slow');
    expect(await next).toBe(2);
    expect(pool.counts()).toMatchObject({ kills: 1, restarts: 1 });
  });

  it('moves a request from an unresponsive slot to another one, with at most three attempts', async () => {
    const { pool } = poolOf({ starts: 'quick' });
    await pool.start();
    const tried: number[] = [];
    const use = (succeedsAt: number) =>
      pool.use(async (slot) => {
        tried.push(slot.number);
        if (tried.length >= succeedsAt) return slot.number;
        await slot.destroy();
        throw new SlotUnresponsive('silent');
      });
    expect(await use(3)).toBe(3);
    tried.length = 0;
    await expect(use(9)).rejects.toThrow('unavailable');
    expect(tried).toHaveLength(3);
  });

  it('keeps an expired slot in use until its replacement is warm', async () => {
    const replacement = latch();
    let starts = 0;
    const { pool } = poolOf({
      start: async () => {
        if (++starts === 2) await replacement.opened;
        return new FakeSlot(starts);
      },
      whyExpired: (slot) => (slot.number === 1 && slot.uses > 0 ? 'it was used' : undefined),
    });
    await pool.start();
    const use = () =>
      pool.use(async (slot) => {
        slot.uses++;
        return slot.number;
      });
    expect([await use(), await use()]).toEqual([1, 1]);
    const busy = latch();
    const last = pool.use(async (slot) => {
      await busy.opened;
      return slot.isGone ? 'gone' : slot.number;
    });
    replacement.open();
    await vi.waitFor(() => expect(pool.counts()).toMatchObject({ warm: 2 }));
    expect(await use()).toBe(2);
    busy.open();
    expect(await last).toBe(1);
    await vi.waitFor(() => expect(pool.counts()).toMatchObject({ warm: 1, restarts: 1, kills: 0 }));
  });

  it('retries failed starts with growing pauses, and is unavailable meanwhile', async () => {
    const pausedAfter: number[] = [];
    const retryDelayMs = (count: number): number => {
      pausedAfter.push(count);
      return 5 * count;
    };
    const failures = [1, 2, 3].map((count) => new Error(`failure ${count}`));
    const { pool } = poolOf({ retryDelayMs }, failures);
    pool.begin();
    await expect(pool.use(numberOf)).rejects.toThrow('unavailable');
    expect(pool.isUnavailable).toBe(true);
    await expect(pool.use(numberOf)).rejects.toThrow('unavailable');
    await vi.waitFor(() => expect(pool.counts().warm).toBe(1));
    expect(await pool.use(numberOf)).toBe(1);
    expect(pausedAfter).toEqual([1, 2, 3]);
  });

  it('lets requests wait while a quick start is running, however many have failed', async () => {
    const hanging = latch();
    let starts = 0;
    const { pool } = poolOf({
      starts: 'quick',
      unavailableAfter: 1,
      start: async () => {
        if (++starts === 1) throw new Error('failure');
        await hanging.opened;
        return new FakeSlot(starts);
      },
    });
    pool.begin();
    await vi.waitFor(() => expect(pool.isUnavailable).toBe(true), { interval: 1 });
    await vi.waitFor(() => expect(pool.isUnavailable).toBe(false), { interval: 1 });
    const waiting = pool.use(numberOf);
    hanging.open();
    expect(await waiting).toBe(2);
  });

  it('tries again when every first start has failed, as often for each slot as it takes to be unavailable', async () => {
    const failing = (count: number) => Array.from({ length: count }, (_, index) => new Error(`failure ${index + 1}`));
    const { pool } = poolOf({ slots: 2 }, failing(3));
    await pool.start();
    expect(pool.counts().warm).toBeGreaterThanOrEqual(1);
    await expect(poolOf({ slots: 2 }, failing(99)).pool.start()).rejects.toThrow(/^failure [45]$/);
  });

  it('aborts a start at its deadline, gives the next one twice the time, and reports when none succeeds', async () => {
    const { pool } = poolOf({
      startTimeoutMs: 20,
      startTimeoutHint: 'raise START_TIMEOUT_MS',
      start: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    await expect(pool.start()).rejects.toThrow('not within 40 ms: raise START_TIMEOUT_MS');
  });

  it('checks idle slots regularly, and replaces one that does not respond', async () => {
    const { pool } = poolOf({
      starts: 'quick',
      healthCheck: { everyMs: 5, check: (slot) => (slot.number === 1 ? slot.destroy() : Promise.resolve()) },
    });
    await pool.start();
    await vi.waitFor(() => expect(pool.counts()).toMatchObject({ warm: 1, restarts: 1 }));
    expect(await pool.use(numberOf)).toBe(2);
    await pool.close();
  });

  it('serves a request at once while every idle slot is being checked, and checks one slot at a time', async () => {
    const checked: number[] = [];
    const abandoned: number[] = [];
    let running = 0;
    const { pool } = poolOf({
      slots: 2,
      starts: 'quick',
      healthCheck: {
        everyMs: 5,
        check: async (slot, taken) => {
          expect(++running).toBe(1);
          checked.push(slot.number);
          await new Promise<void>((resolve) => taken.addEventListener('abort', () => resolve()));
          abandoned.push(slot.number);
          running--;
        },
      },
    });
    await pool.start();
    await vi.waitFor(() => expect(checked).toEqual([1]), { interval: 1 });
    // The slot that is not being checked is preferred. The other one is used for the second request.
    const busy = latch();
    const use = async (slot: FakeSlot): Promise<number> => {
      await busy.opened;
      return slot.number;
    };
    const uses = ['a', 'b'].map((account) => pool.use(use, { account }));
    expect(pool.counts()).toMatchObject({ busy: 2, waiting: 0 });
    await vi.waitFor(() => expect(abandoned).toEqual([1]), { interval: 1 });
    busy.open();
    expect(await Promise.all(uses)).toEqual([2, 1]);
    await vi.waitFor(() => expect(checked.length).toBeGreaterThan(1), { interval: 1 });
    await pool.close();
    expect(running).toBe(0);
  });

  it('never hands out a slot that is being destroyed', async () => {
    const { pool, started } = poolOf({ starts: 'quick' });
    await pool.start();
    const [first] = started;
    if (first === undefined) throw new Error('no slot');
    first.isGone = true;
    const served = pool.use(numberOf);
    expect(pool.counts().waiting).toBe(1);
    first.die();
    expect(await served).toBe(2);
  });

  it('fails waiting and running requests when it closes, and destroys every slot', async () => {
    const { pool, started } = poolOf();
    await pool.start();
    const blocked = latch();
    const uses = [pool.use(() => blocked.opened), pool.use(() => blocked.opened)];
    const failed = Promise.all(uses.map((use) => expect(use).rejects.toThrow('closing')));
    await pool.close();
    await failed;
    blocked.open();
    await expect(pool.use(numberOf)).rejects.toThrow('closing');
    expect(started.every((slot) => slot.isGone)).toBe(true);
    expect(pool.counts()).toMatchObject({ warm: 0, busy: 0, waiting: 0 });
  });
});
