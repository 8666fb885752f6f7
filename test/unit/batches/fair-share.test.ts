import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountDemand,
  type ScheduleLimits,
  schedule,
} from '../../../src/shared/domain/batches/dispatch/fair-share.ts';
import type { AccountShare } from '../../../src/shared/domain/batches/dispatch/queue-state.ts';
import { assignVirtualTimes } from '../../../src/shared/domain/batches/dispatch/virtual-time.ts';

const limits: ScheduleLimits = { free: 100, accountRows: 1_000, workUs: 1e12, isDry: false };
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

describe('turns', () => {
  it('are even between equals, and as the weights between others', () => {
    expect(dealt([account('a'), account('b')])).toEqual({ a: 50, b: 50 });
    expect(dealt([account('a', { weight: 3 }), account('b')])).toEqual({ a: 75, b: 25 });
  });

  it('are of working time, not of rows', () => {
    expect(dealt([account('a', { costUs: 60_000 }), account('b')])).toEqual({ a: 25, b: 75 });
  });

  it('go to who has had least until all stand alike', () => {
    expect(dealt([account('a', { virtualTime: 600_000 }), account('b')])).toEqual({ a: 35, b: 65 });
  });

  it('are never more than wait, or than the account may have', () => {
    expect(dealt([account('a', { waiting: 3 }), account('b', { inFlight: 995 })])).toEqual({ a: 3, b: 5 });
  });

  it('of an account that nothing is known of, or whose rows are slow, are one at a time', () => {
    const work = { workUs: 500_000 };
    expect(dealt([account('a', { costUs: undefined })], work)).toEqual({ a: 1 });
    expect(dealt([account('a', { costUs: undefined, inFlight: 1 })], work)).toEqual({});
    expect(dealt([account('a', { costUs: 9_000_000 })], work)).toEqual({ a: 1 });
    expect(dealt([account('a', { costUs: 9_000_000, inFlight: 1, workUs: 9_000_000 })], work)).toEqual({});
    expect(dealt([account('a')], work)).toEqual({ a: 25 });
  });

  it('leave no worker idle for a limit of working time', () => {
    const slow = account('a', { costUs: 9_000_000, inFlight: 2, workUs: 18_000_000 });
    expect(dealt([slow], { workUs: 500_000, isDry: true })).toEqual({ a: 1 });
    expect(dealt([slow, account('b')], { workUs: 500_000, isDry: true })).toEqual({ b: 25 });
  });

  it('count also when places are plenty: what waits in the lane is by turns', () => {
    const heavy = account('a', { weight: 3 });
    expect(dealt([heavy, account('b')], { free: 1_000, workUs: 400_000 })).toEqual({ a: 15, b: 5 });
    const had = { inFlight: 10, queued: 8, workUs: 200_000, queuedUs: 160_000 };
    expect(dealt([{ ...heavy, ...had }, account('b')], { free: 1_000, workUs: 400_000 })).toEqual({ a: 9, b: 3 });
    expect(dealt([account('a'), account('b', had)], { workUs: 160_000 })).toEqual({});
  });

  it('are not kept back by slow rows that wait in the lane', () => {
    const slow = account('a', { costUs: 9_000_000, inFlight: 1, queued: 1, workUs: 9e6, queuedUs: 9e6 });
    expect(dealt([slow, account('b')], { workUs: 400_000 })).toEqual({ b: 15 });
  });

  it('starve nobody, whatever the costs and weights: each has its share of the time, short of one row', () => {
    const one = fc.record({
      weight: fc.integer({ min: 1, max: 10 }),
      costUs: fc.integer({ min: 1_000, max: 5_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 8 }), (kinds) => {
        const accounts = kinds.map((kind, index) => account(`${index}`, { ...kind, waiting: 1e9 }));
        const rows = dealt(accounts, { free: 2_000, accountRows: 1e9 });
        const standings = accounts.map(
          ({ accountId, costUs = 0, weight }) => ((rows[accountId] ?? 0) * costUs) / weight,
        );
        const longest = Math.max(...accounts.map(({ costUs = 0, weight }) => costUs / weight));
        expect(Math.max(...standings) - Math.min(...standings)).toBeLessThanOrEqual(longest + 1e-6);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an account that joins', () => {
  const lane = (accountId: string, changes: Partial<AccountShare> = {}): AccountShare => ({
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
  const standings = (accounts: readonly AccountShare[], highest = 0): Record<string, number> =>
    Object.fromEntries(assignVirtualTimes(accounts, new Set(accounts.map(({ accountId }) => accountId)), highest));

  it('stands where the active one stands that has had least', () => {
    const active = [lane('a', { isActive: true, virtualTime: 500 }), lane('b', { isActive: true, virtualTime: 900 })];
    expect(standings([...active, lane('c')])).toEqual({ a: 500, b: 900, c: 500 });
  });

  it('does not leave behind what it had too much', () => {
    expect(standings([lane('a', { isActive: true, virtualTime: 500 }), lane('b', { virtualTime: 700 })])).toEqual({
      a: 500,
      b: 700,
    });
  });

  it('is alike with others who join after a time when there was none', () => {
    expect(standings([lane('a', { virtualTime: 9_000 }), lane('b', { virtualTime: 3 })], 9_000)).toEqual({
      a: 9_000,
      b: 9_000,
    });
  });

  it('is not passed by one whose rows hang: they count while they run', () => {
    const hanging = lane('a', { isActive: true, virtualTime: 500, overdueUs: 9_000_000, weight: 2 });
    expect(standings([hanging, lane('b', { isActive: true, virtualTime: 900 })])).toEqual({ a: 4_500_500, b: 900 });
  });
});
