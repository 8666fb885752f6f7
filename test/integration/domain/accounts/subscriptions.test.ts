import { describe, expect, it } from 'vitest';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { grantCredits } from '../../../../src/shared/domain/quota/grant-credits.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { setSubscription } from '../../../../src/shared/domain/quota/set-subscription.ts';
import { claimed, documentRequest, newAccount, outcomeOf, tally, together } from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();

const side = (subscriptionDocs: number, creditDocs: number) => ({
  subscriptions: { docs: subscriptionDocs, templates: expect.any(Number) },
  credits: { docs: creditDocs, templates: expect.any(Number) },
  total: { docs: subscriptionDocs + creditDocs, templates: expect.any(Number) },
});

async function accountWith(docs: number, used: number) {
  const account = await newAccount(db, { docs });
  const accept = async () => {
    const request = documentRequest(account.templateId);
    await acceptGeneration(db, account.accountId, request);
    return request.id;
  };
  const ids: string[] = [];
  for (let count = 0; count < used; count++) ids.push(await accept());
  const set = (next: number) => setSubscription(db, { accountId: account.accountId, docs: next, templates: 1 });
  return { ...account, ids, accept, set, quotas: () => readQuotas(db, account.accountId) };
}

describe('a subscription', () => {
  it('that is raised applies immediately', async () => {
    const account = await accountWith(2, 2);
    expect(await outcomeOf(account.accept())).toBe('quota_exceeded');
    await account.set(3);
    expect(tally(await together(5, () => outcomeOf(account.accept())))).toEqual({ ok: 1, quota_exceeded: 4 });
  });

  it('that is lowered below its usage leaves zero, never less, and releases nothing twice', async () => {
    const account = await accountWith(5, 4);
    await account.set(2);
    expect(await account.quotas()).toEqual({ allocated: side(2, 0), remaining: side(0, 0) });
    expect(await outcomeOf(account.accept())).toBe('quota_exceeded');
    const fail = async (id = '') =>
      failGeneration(db, await claimed(db, id), { code: 'internal', message: 'Internal server error' });
    await fail(account.ids[0]);
    await fail(account.ids[1]);
    expect(await outcomeOf(account.accept())).toBe('quota_exceeded');
    await fail(account.ids[2]);
    expect(await outcomeOf(account.accept())).toBe('ok');
    expect(await violations(pool)).toEqual([]);
  });

  it('that is lowered also applies to waiting requests', async () => {
    const account = await accountWith(50, 0);
    const hold = await holdAllowances(pool, account.accountId);
    const lowering = account.set(3);
    await hold.waiters(1);
    const outcomes = together(10, () => outcomeOf(account.accept()));
    await hold.waiters(11);
    await hold.release();
    await lowering;
    expect(tally(await outcomes)).toEqual({ ok: 3, quota_exceeded: 7 });
  });

  it('set to nothing leaves the credits', async () => {
    const account = await accountWith(5, 1);
    await account.set(0);
    await grantCredits(db, { accountId: account.accountId, docs: 1, templates: 0 });
    expect(await account.quotas()).toEqual({ allocated: side(0, 1), remaining: side(0, 1) });
    expect(tally(await together(4, () => outcomeOf(account.accept())))).toEqual({ ok: 1, quota_exceeded: 3 });
  });

  it('of an unknown account is rejected', async () => {
    const input = { accountId: 'acc_none', docs: 1, templates: 1 };
    expect(await outcomeOf(setSubscription(db, input))).toBe('not_found');
    expect(await outcomeOf(grantCredits(db, input))).toBe('not_found');
  });

  it('set for the first time by concurrent requests exists once', async () => {
    const account = await newAccount(db, { credits: [{ docs: 0 }] });
    await together(20, (index) =>
      setSubscription(db, { accountId: account.accountId, docs: 7, templates: 1, anchorDay: 1 + (index % 28) }),
    );
    expect((await readQuotas(db, account.accountId)).remaining.subscriptions.docs).toBe(7);
    expect(await violations(pool)).toEqual([]);
  });
});

describe('credits', () => {
  it('are usable as soon as they are granted', async () => {
    for (let round = 0; round < 20; round++) {
      const account = await newAccount(db, { credits: [{ docs: 0 }] });
      await grantCredits(db, { accountId: account.accountId, docs: 1, templates: 0 });
      expect(await outcomeOf(acceptGeneration(db, account.accountId, documentRequest(account.templateId)))).toBe('ok');
    }
  });

  it('leave the quotas when they expire, used or not', async () => {
    const at = new Date('2027-05-01T00:00:00Z');
    const account = await newAccount(db, {
      docs: 1,
      credits: [{ docs: 4, expiresAt: new Date('2027-05-02T00:00:00Z') }],
      at,
    });
    await together(3, () => acceptGeneration(db, account.accountId, documentRequest(account.templateId), at));
    expect(await readQuotas(db, account.accountId, at)).toEqual({ allocated: side(1, 4), remaining: side(0, 2) });
    const later = new Date('2027-05-02T00:00:00Z');
    expect(await readQuotas(db, account.accountId, later)).toEqual({ allocated: side(1, 0), remaining: side(0, 0) });
  });

  it('may exceed 32 bits', async () => {
    const most = 2_147_483_647;
    const account = await newAccount(db, { docs: most, credits: [{ docs: most }, { docs: most }] });
    expect((await readQuotas(db, account.accountId)).remaining.total.docs).toBe(3 * most);
  });
});
