import { afterAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/shared/db/client.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { type Quotas, readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import {
  claimed,
  documentRequest,
  newAccount,
  outcomeOf,
  type TestAccount,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const pools = [useDatabase({ poolSize: 10 }), useDatabase({ poolSize: 10 }), useDatabase({ poolSize: 10 })];
const processes = [db, ...pools.map((handle) => handle.db)];

afterAll(async () => {
  expect(await violations(pool)).toEqual([]);
});

function race(account: TestAccount, count: number, through: readonly Database[] = [db]) {
  return together(count, (index) =>
    outcomeOf(
      acceptGeneration(through[index % through.length] ?? db, account.accountId, documentRequest(account.templateId)),
    ),
  );
}

/** Reads the quotas repeatedly until the work has finished, and once afterwards. */
async function watchQuotas(accountId: string, work: Promise<unknown>): Promise<Quotas[]> {
  const seen: Quotas[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) seen.push(await readQuotas(db, accountId));
  await over;
  seen.push(await readQuotas(db, accountId));
  return seen;
}

describe('accepting at the limit', () => {
  it.each(Array.from({ length: 20 }, (_, round) => 40 + 3 * round))(
    'gives the 10 documents that are left to 10 of %i parallel requests',
    async (count) => {
      const account = await newAccount(db, { docs: 10 });
      expect(tally(await race(account, count))).toEqual({ ok: 10, quota_exceeded: count - 10 });
      expect((await readQuotas(db, account.accountId)).remaining.total.docs).toBe(0);
    },
  );

  it.each(Array.from({ length: 5 }, (_, round) => round))('holds over four processes (%i)', async () => {
    const account = await newAccount(db, { docs: 10 });
    expect(tally(await race(account, 100, processes))).toEqual({ ok: 10, quota_exceeded: 90 });
  });

  it.each(Array.from({ length: 5 }, (_, round) => round))(
    'holds when a subscription and several credits make up what is left, one unit each at the end (%i)',
    async () => {
      const soon = new Date(Date.now() + 86_400_000);
      const later = new Date(Date.now() + 2 * 86_400_000);
      const credits = [
        { docs: 1 },
        { docs: 3, expiresAt: later },
        { docs: 2, expiresAt: soon },
        { docs: 1, expiresAt: later },
      ];
      const account = await newAccount(db, { docs: 4, credits });
      expect(tally(await race(account, 60, processes))).toEqual({ ok: 11, quota_exceeded: 49 });
    },
  );

  it('holds when concurrent requests find that the month has no row yet', async () => {
    const account = await newAccount(db, { docs: 10 });
    const nextMonth = new Date(Date.now() + 40 * 86_400_000);
    const outcomes = await together(60, (index) =>
      outcomeOf(
        acceptGeneration(
          processes[index % processes.length] ?? db,
          account.accountId,
          documentRequest(account.templateId),
          nextMonth,
        ),
      ),
    );
    expect(tally(outcomes)).toEqual({ ok: 10, quota_exceeded: 50 });
  });

  it('leaves other accounts alone', async () => {
    const [poor, rich] = [await newAccount(db, { docs: 1 }), await newAccount(db, { docs: 50 })];
    const [poorOutcomes, richOutcomes] = await Promise.all([race(poor, 30), race(rich, 30)]);
    expect(tally(poorOutcomes)).toEqual({ ok: 1, quota_exceeded: 29 });
    expect(tally(richOutcomes)).toEqual({ ok: 30 });
  });

  it('refuses an account without any quota, and writes nothing', async () => {
    const account = await newAccount(db, { credits: [{ docs: 0 }] });
    expect(tally(await race(account, 5))).toEqual({ quota_exceeded: 5 });
    const { rows } = await pool.query('select 1 from generations where account_id = $1', [account.accountId]);
    expect(rows).toEqual([]);
  });
});

describe('the order of allowances', () => {
  it('uses the subscription first, then the credits that expire soonest, last those that never do', async () => {
    const at = new Date('2027-03-10T12:00:00Z');
    const expiring = (days: number) => new Date(at.getTime() + days * 86_400_000);
    const account = await newAccount(db, {
      docs: 2,
      credits: [{ docs: 1 }, { docs: 2, expiresAt: expiring(60) }, { docs: 2, expiresAt: expiring(30) }],
      at,
    });
    const left: number[][] = [];
    for (let count = 0; count < 7; count++) {
      await acceptGeneration(db, account.accountId, documentRequest(account.templateId), at);
      const { rows } = await pool.query<{ left: number }>(
        `select docs - docs_held - docs_settled as left from allowances where account_id = $1
          order by kind desc, ends_at nulls last`,
        [account.accountId],
      );
      left.push(rows.map((row) => row.left));
    }
    expect(left).toEqual([
      [1, 2, 2, 1],
      [0, 2, 2, 1],
      [0, 1, 2, 1],
      [0, 0, 2, 1],
      [0, 0, 1, 1],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ]);
    expect(await outcomeOf(acceptGeneration(db, account.accountId, documentRequest(account.templateId), at))).toBe(
      'quota_exceeded',
    );
  });

  it('does not use credits that have expired or are not valid yet', async () => {
    const at = new Date('2027-03-10T12:00:00Z');
    const account = await newAccount(db, { credits: [{ docs: 5, expiresAt: new Date('2027-03-11T00:00:00Z') }], at });
    const accept = (time: string) =>
      outcomeOf(acceptGeneration(db, account.accountId, documentRequest(account.templateId), new Date(time)));
    expect(await accept('2027-03-10T11:59:59.999Z')).toBe('quota_exceeded');
    expect(await accept('2027-03-10T23:59:59.999Z')).toBe('ok');
    expect(await accept('2027-03-11T00:00:00.000Z')).toBe('quota_exceeded');
  });
});

describe('quotas that are read during changes', () => {
  it('add up at all times and never go below zero', async () => {
    const account = await newAccount(db, { docs: 25, credits: [{ docs: 10 }, { docs: 5 }] });
    const work = together(60, async (index) => {
      const request = documentRequest(account.templateId);
      if ((await outcomeOf(acceptGeneration(processes[index % 4] ?? db, account.accountId, request))) !== 'ok') return;
      if (index % 3 > 0) return;
      const claim = await claimed(db, request.id);
      await failGeneration(db, claim, { code: 'conversion_failed', message: 'The document could not be converted' });
    });
    const seen = await watchQuotas(account.accountId, work);
    for (const { allocated, remaining } of seen) {
      expect(allocated.total.docs).toBe(40);
      expect(remaining.subscriptions.docs + remaining.credits.docs).toBe(remaining.total.docs);
      expect(Math.min(remaining.subscriptions.docs, remaining.credits.docs)).toBeGreaterThanOrEqual(0);
      expect(remaining.subscriptions.docs).toBeLessThanOrEqual(25);
      expect(remaining.credits.docs).toBeLessThanOrEqual(15);
    }
    expect(seen.length).toBeGreaterThan(3);
    const { rows } = await pool.query<{ open: number }>(
      `select count(*)::int as open from generations where account_id = $1 and status = 'queued'`,
      [account.accountId],
    );
    expect(seen.at(-1)?.remaining.total.docs).toBe(40 - (rows[0]?.open ?? 0));
  });
});
