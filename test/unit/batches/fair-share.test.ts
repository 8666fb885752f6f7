import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountDemand,
  type ScheduleLimits,
  schedule,
} from '../../../src/shared/domain/batches/dispatch/fair-share.ts';
import type { AccountShare } from '../../../src/shared/domain/batches/dispatch/queue-state.ts';
import { assignVirtualTimes } from '../../../src/shared/domain/batches/dispatch/virtual-time.ts';

const limits: ScheduleLimits = { free: 100, accountRows: 1_000, workUs: 1e12, isQueueEmpty: false };
const account = (accountId: string, changes: Partial<AccountDemand> = {}): AccountDemand => ({
  accountId,
  waiting: 1_000,
  weight: 1,
  virtualTime: 0,
  costUs: 20_000,
  inFlight: 0,
  workUs: 0,
  queued: 0,
  queuedUs: 0,
  ...changes,
});
const dealt = (accounts: readonly AccountDemand[], changes: Partial<ScheduleLimits> = {}): Record<string, number> =>
  Object.fromEntries(schedule(accounts, { ...limits, ...changes }).map(({ accountId, rows }) => [accountId, rows]));

describe('fair shares', () => {
  it('are equal for equal weights, and otherwise proportional to the weights', () => {
    expect(dealt([account('a'), account('b')])).toEqual({ a: 50, b: 50 });
    expect(dealt([account('a', { weight: 3 }), account('b')])).toEqual({ a: 75, b: 25 });
  });

  it('measure working time instead of rows', () => {
    expect(dealt([account('a', { costUs: 60_000 }), account('b')])).toEqual({ a: 25, b: 75 });
  });

  it('go to the lowest virtual time until all are equal', () => {
    expect(dealt([account('a', { virtualTime: 600_000 }), account('b')])).toEqual({ a: 35, b: 65 });
  });

  it("never exceed the waiting rows or the account's limit", () => {
    expect(dealt([account('a', { waiting: 3 }), account('b', { inFlight: 995 })])).toEqual({ a: 3, b: 5 });
  });

  it('are one row at a time for an account without history or with slow rows', () => {
    const work = { workUs: 500_000 };
    expect(dealt([account('a', { costUs: undefined })], work)).toEqual({ a: 1 });
    expect(dealt([account('a', { costUs: undefined, inFlight: 1 })], work)).toEqual({});
    expect(dealt([account('a', { costUs: 9_000_000 })], work)).toEqual({ a: 1 });
    expect(dealt([account('a', { costUs: 9_000_000, inFlight: 1, workUs: 9_000_000 })], work)).toEqual({});
    expect(dealt([account('a')], work)).toEqual({ a: 25 });
  });

  it('leave no worker idle because of the working time limit', () => {
    const slow = account('a', { costUs: 9_000_000, inFlight: 2, workUs: 18_000_000 });
    expect(dealt([slow], { workUs: 500_000, isQueueEmpty: true })).toEqual({ a: 1 });
    expect(dealt([slow, account('b')], { workUs: 500_000, isQueueEmpty: true })).toEqual({ b: 25 });
  });

  it('apply even if many slots are free', () => {
    const heavy = account('a', { weight: 3 });
    expect(dealt([heavy, account('b')], { free: 1_000, workUs: 400_000 })).toEqual({ a: 15, b: 5 });
    const had = { inFlight: 10, queued: 8, workUs: 200_000, queuedUs: 160_000 };
    expect(dealt([{ ...heavy, ...had }, account('b')], { free: 1_000, workUs: 400_000 })).toEqual({ a: 9, b: 3 });
    expect(dealt([account('a'), account('b', had)], { workUs: 160_000 })).toEqual({});
  });

  it('are not delayed by slow rows that wait in the queue', () => {
    const slow = account('a', { costUs: 9_000_000, inFlight: 1, queued: 1, workUs: 9e6, queuedUs: 9e6 });
    expect(dealt([slow, account('b')], { workUs: 400_000 })).toEqual({ b: 15 });
  });

  it('starve no account: each gets its share of the time, to within one row', () => {
    const one = fc.record({
      weight: fc.integer({ min: 1, max: 10 }),
      costUs: fc.integer({ min: 1_000, max: 5_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 8 }), (kinds) => {
        const accounts = kinds.map((kind, index) => account(`${index}`, { ...kind, waiting: 1e9 }));
        const rows = dealt(accounts, { free: 2_000, accountRows: 1e9 });
        const virtualTimes = accounts.map(
          ({ accountId, costUs = 0, weight }) => ((rows[accountId] ?? 0) * costUs) / weight,
        );
        const longest = Math.max(...accounts.map(({ costUs = 0, weight }) => costUs / weight));
        expect(Math.max(...virtualTimes) - Math.min(...virtualTimes)).toBeLessThanOrEqual(longest + 1e-6);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an account that joins', () => {
  const share = (accountId: string, changes: Partial<AccountShare> = {}): AccountShare => ({
    accountId,
    weight: 1,
    virtualTime: 0,
    costUs: 20_000,
    isActive: false,
    inFlight: 0,
    running: 0,
    bytes: 0,
    workUs: 0,
    queued: 0,
    queuedUs: 0,
    overdueUs: 0,
    ...changes,
  });
  const virtualTimes = (accounts: readonly AccountShare[], highest = 0): Record<string, number> =>
    Object.fromEntries(assignVirtualTimes(accounts, new Set(accounts.map(({ accountId }) => accountId)), highest));

  it('starts at the lowest virtual time of the active accounts', () => {
    const active = [share('a', { isActive: true, virtualTime: 500 }), share('b', { isActive: true, virtualTime: 900 })];
    expect(virtualTimes([...active, share('c')])).toEqual({ a: 500, b: 900, c: 500 });
  });

  it('keeps its own virtual time if that is higher', () => {
    expect(virtualTimes([share('a', { isActive: true, virtualTime: 500 }), share('b', { virtualTime: 700 })])).toEqual({
      a: 500,
      b: 700,
    });
  });

  it('is equal to others that join after an idle period', () => {
    expect(virtualTimes([share('a', { virtualTime: 9_000 }), share('b', { virtualTime: 3 })], 9_000)).toEqual({
      a: 9_000,
      b: 9_000,
    });
  });

  it('is not overtaken by an account with hanging rows, which count while they run', () => {
    const hanging = share('a', { isActive: true, virtualTime: 500, overdueUs: 9_000_000, weight: 2 });
    expect(virtualTimes([hanging, share('b', { isActive: true, virtualTime: 900 })])).toEqual({ a: 4_500_500, b: 900 });
  });
});
