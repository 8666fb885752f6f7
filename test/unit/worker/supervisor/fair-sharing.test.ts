import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SlotPool, SlotUnresponsive } from '../../../../src/worker/supervisor/slot-pool.ts';
import { type FakeSlot, latch, type PoolOptions, poolOf } from './fake-slots.ts';

/** The last two are a fifth and a thirtieth of the time limit. */
const [timeLimitMs, firstLimitMs, extraLimitMs] = [60_000, 12_000, 2_000];
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function startSlots(slots: number, options: PoolOptions = {}, failures: Error[] = []) {
  const limits = { timeLimitMs, quickMs: 600, startTimeoutMs: 30_000 };
  const { pool, started } = poolOf({ ...limits, slots, starts: 'quick', ...options }, failures);
  const warm = pool.start();
  await pass(options.startMs ?? 0);
  await warm;
  onTestFinished(() => pool.close());
  return { pool, started };
}

async function startPool(slots: number, keepsSlotFree = true): Promise<SlotPool<FakeSlot>> {
  return (await startSlots(slots, { keepsSlotFree })).pool;
}

interface Work {
  readonly account: string;
  readonly work?: string;
}

/** Runs until the test ends it or its slot is destroyed. */
function hold(pool: SlotPool<FakeSlot>, { account, work }: Work) {
  const done = latch();
  let runs = 0;
  const result = pool.use(
    async (slot) => {
      runs++;
      const ended = slot.ended.then(() => {
        throw new Error('the slot was destroyed');
      });
      await Promise.race([done.opened, ended]);
      return slot.number;
    },
    { account, work },
  );
  result.catch(() => undefined);
  return { result, open: done.open, runs: () => runs };
}

async function run(pool: SlotPool<FakeSlot>, work: Work): Promise<void> {
  await pool.use(async () => undefined, work);
}

async function learn(pool: SlotPool<FakeSlot>, work: Work, times = 3): Promise<void> {
  for (let time = 0; time < times; time++) await run(pool, work);
}

const [b, c, d] = ['b', 'c', 'd'].map((account) => ({ account, work: `template of ${account}` })) as [Work, Work, Work];

describe('slots that accounts share', () => {
  it('keep the last free one for an account that holds none', async () => {
    const pool = await startPool(2);
    const [first, second] = [hold(pool, b), hold(pool, b)];
    expect([first.runs(), second.runs()]).toEqual([1, 0]);
    await run(pool, c);
    expect(second.runs()).toBe(0);
    first.open();
    await first.result;
    expect(second.runs()).toBe(1);
    second.open();
    await second.result;
  });

  it('may all be used by one account for work that is known to be quick', async () => {
    const pool = await startPool(3);
    await learn(pool, b);
    const uses = [hold(pool, b), hold(pool, b), hold(pool, b)];
    expect(uses.map(({ runs }) => runs())).toEqual([1, 1, 1]);
    for (const use of uses) use.open();
  });

  it('go to the account that holds the fewest, then to the one served least recently', async () => {
    const pool = await startPool(1);
    const order: string[] = [];
    const blocked = hold(pool, b);
    const use = (account: string, name: string) => pool.use(async () => void order.push(name), { account });
    const uses = [use('b', 'b1'), use('b', 'b2'), use('c', 'c1'), use('c', 'c2'), use('d', 'd1')];
    blocked.open();
    await Promise.all(uses);
    expect(order).toEqual(['c1', 'd1', 'b1', 'c2', 'b2']);
  });

  it('are released by unknown work after the first limit if there is only one, and it gets the full limit later', async () => {
    const pool = await startPool(1);
    const hanging = hold(pool, b);
    const quick = run(pool, c);
    await pass(firstLimitMs - 10);
    expect(pool.counts()).toMatchObject({ stops: 0, waiting: 1 });
    await pass(20);
    await quick;
    expect(pool.counts()).toMatchObject({ stops: 1, kills: 0 });
    expect(hanging.runs()).toBe(2);
    // The second run has the full time limit, which the slot enforces.
    const next = hold(pool, c);
    await pass(timeLimitMs);
    expect(pool.counts()).toMatchObject({ stops: 1, waiting: 1 });
    hanging.open();
    await hanging.result;
    next.open();
    await next.result;
  });

  it('are given to a waiting account for a sixtieth of the limit before work over its limit is stopped', async () => {
    const pool = await startPool(1);
    const hanging = hold(pool, b);
    await pass(3 * firstLimitMs);
    const quick = run(pool, c);
    await pass(timeLimitMs / 60 - 10);
    expect(pool.counts().stops).toBe(0);
    await pass(20);
    await quick;
    hanging.open();
    await hanging.result;
  });

  it("stop one run for each waiting account, and none for an account's second request", async () => {
    const pool = await startPool(3, false);
    const hanging = [hold(pool, b), hold(pool, b), hold(pool, b)];
    const uses = [hold(pool, c), hold(pool, c), hold(pool, d)];
    await pass(firstLimitMs + 10);
    expect(uses.map(({ runs }) => runs())).toEqual([1, 0, 1]);
    expect(pool.counts().stops).toBe(2);
    for (const { open } of [...hanging, ...uses]) open();
    await Promise.all(hanging.map(({ result }) => result));
  });

  it('are not taken from running work while nobody else waits', async () => {
    const pool = await startPool(2);
    const uses = [hold(pool, b), hold(pool, b), hold(pool, b)];
    await pass(10 * timeLimitMs);
    expect(pool.counts()).toMatchObject({ stops: 0, waiting: 2 });
    for (const use of uses) use.open();
    await Promise.all(uses.map(({ result }) => result));
  });

  it('do not stay with quick work that suddenly takes long, which is then no longer treated as quick', async () => {
    const pool = await startPool(2);
    await learn(pool, b, 100);
    const lies = [hold(pool, b), hold(pool, b), hold(pool, b), hold(pool, b)];
    expect(lies.map(({ runs }) => runs())).toEqual([1, 1, 0, 0]);
    const quick = run(pool, c);
    await pass(extraLimitMs - 10);
    expect(pool.counts()).toMatchObject({ stops: 0, waiting: 3 });
    await pass(20);
    await quick;
    expect(pool.counts().stops).toBe(1);
    const startedAt = performance.now();
    for (let time = 0; time < 20; time++) await run(pool, c);
    expect(performance.now()).toBe(startedAt);
    // From now on, only one of them runs at a time.
    expect(pool.counts().busy).toBe(1);
    for (const lie of lies) lie.open();
  });

  it('stay longer with work that is known to take long and to succeed', async () => {
    const pool = await startPool(1);
    const honest = hold(pool, b);
    await pass(15_000);
    honest.open();
    await honest.result;
    const again = hold(pool, b);
    const waiting = run(pool, c);
    await pass(44_000);
    expect(pool.counts()).toMatchObject({ stops: 0, waiting: 1 });
    again.open();
    await Promise.all([again.result, waiting]);
  });

  it('are never all used by long work', async () => {
    const pool = await startPool(2);
    for (const work of [b, c]) {
      const slow = hold(pool, work);
      await pass(5_000);
      slow.open();
      await slow.result;
    }
    const long = [hold(pool, b), hold(pool, c)];
    expect(long.map(({ runs }) => runs())).toEqual([1, 0]);
    await run(pool, d);
    long[0]?.open();
    await long[0]?.result;
    await pass(0);
    expect(long[1]?.runs()).toBe(1);
    long[1]?.open();
  });

  it('go to an account whose work was stopped after all others', async () => {
    const pool = await startPool(1);
    const hanging = hold(pool, b);
    const quick = run(pool, c);
    await pass(firstLimitMs + 10);
    await quick;
    const order: string[] = [];
    const blocked = hold(pool, c);
    const use = (account: string) => pool.use(async () => void order.push(account), { account });
    const uses = [use('b'), use('d'), use('c')];
    blocked.open();
    hanging.open();
    await Promise.all([...uses, hanging.result]);
    expect(order.slice(-1)).toEqual(['b']);
  });

  it('are not given again to a caller that disconnected during a stop', async () => {
    const pool = await startPool(1);
    const controller = new AbortController();
    let runs = 0;
    const left = pool.use(
      async (slot) => {
        runs++;
        await slot.ended;
        throw new Error('destroyed');
      },
      { account: 'b', signal: controller.signal },
    );
    const other = run(pool, c);
    const rejected = expect(left).rejects.toThrow('the caller left');
    controller.abort(new Error('the caller left'));
    await rejected;
    await pass(firstLimitMs + 10);
    await other;
    expect(pool.counts()).toMatchObject({ stops: 1, waiting: 0 });
    expect(runs).toBe(1);
  });

  it('do not treat work as quick after it cost a slot', async () => {
    const pool = await startPool(2);
    await learn(pool, b);
    const crash = pool.use(async (slot) => {
      slot.die();
      throw new Error('crashed');
    }, b);
    await expect(crash).rejects.toThrow('crashed');
    await pass(0);
    expect(pool.counts().warm).toBe(2);
    const uses = [hold(pool, b), hold(pool, b)];
    expect(uses.map(({ runs }) => runs())).toEqual([1, 0]);
    for (const use of uses) use.open();
  });

  describe('an account whose work cost a slot', () => {
    const startMs = 5_000;

    /** There is no free slot for the account, so it waits until the replacement is warm. */
    async function expectToWait(pool: SlotPool<FakeSlot>, callers = 1): Promise<void> {
      const next = Array.from({ length: callers }, () => hold(pool, b));
      const runs = () => next.reduce((sum, each) => sum + each.runs(), 0);
      await pass(startMs - 100);
      expect(runs()).toBe(0);
      await run(pool, c);
      await pass(200);
      expect(runs()).toBe(1);
      for (const { open } of next) open();
      await Promise.all(next.map(({ result }) => result));
    }

    async function crash(pool: SlotPool<FakeSlot>): Promise<void> {
      const crashing = pool.use(async (slot) => {
        slot.die();
        throw new Error('crashed');
      }, b);
      await expect(crashing).rejects.toThrow('crashed');
    }

    it.each([1, 3])('does not get the last slot while the lost one is replaced: %i callers', async (callers) => {
      const { pool } = await startSlots(2, { startMs });
      await crash(pool);
      await expectToWait(pool, callers);
    });

    it('does not get it if the slot ended after the work had succeeded', async () => {
      const { pool, started } = await startSlots(2, { startMs });
      await run(pool, b);
      started[0]?.die();
      await pass(0);
      await expectToWait(pool);
    });

    it('does not get it if the next request found the slot unresponsive, and that request does not wait', async () => {
      const { pool } = await startSlots(2, { startMs });
      await run(pool, b);
      await run(pool, d);
      let attempts = 0;
      await pool.use(async (slot) => {
        if (attempts++ > 0) return;
        slot.die();
        throw new SlotUnresponsive('silent');
      }, c);
      expect(attempts).toBe(2);
      await expectToWait(pool);
    });

    it('does not get it if the work was stopped in favour of another account', async () => {
      const { pool } = await startSlots(2, { startMs });
      const [hanging, other, third] = [hold(pool, b), hold(pool, c), hold(pool, d)];
      await pass(firstLimitMs + 10);
      expect(pool.counts().stops).toBe(1);
      for (const { open, result } of [other, third]) {
        open();
        await result;
      }
      expect(hanging.runs()).toBe(1);
      await pass(startMs);
      expect(hanging.runs()).toBe(2);
      hanging.open();
      await hanging.result;
    });

    it('gets it when the replacement cannot be started', async () => {
      const failures: Error[] = [];
      const { pool } = await startSlots(2, { startMs, retryDelayMs: () => 60_000 }, failures);
      failures.push(new Error('no memory'));
      await crash(pool);
      await run(pool, b);
    });

    it('is not put behind all others while replacements cannot be started', async () => {
      const failures: Error[] = [];
      const { pool } = await startSlots(2, { startMs, retryDelayMs: () => 60_000 }, failures);
      failures.push(new Error('no memory'));
      await crash(pool);
      const [first, own, next] = [hold(pool, c), hold(pool, b), hold(pool, c)];
      first.open();
      await first.result;
      expect([own.runs(), next.runs()]).toEqual([1, 0]);
      for (const { open, result } of [own, next]) {
        open();
        await result;
      }
    });
  });

  it('a pool that reserves no slot gives one account every slot, and stops its work for others', async () => {
    const pool = await startPool(2, false);
    const rows = [hold(pool, b), hold(pool, b), hold(pool, b)];
    expect(rows.map(({ runs }) => runs())).toEqual([1, 1, 0]);
    const quick = run(pool, c);
    await pass(firstLimitMs + 10);
    await quick;
    expect(pool.counts().stops).toBe(1);
    for (const row of rows) row.open();
    await Promise.all(rows.map(({ result }) => result));
  });
});
