import { afterAll, describe, expect, test } from 'vitest';
import { setKeyBudget } from '../../../../src/shared/domain/api-keys/budget.ts';
import { createKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import {
  cancelGeneration,
  failGeneration,
  refundGeneration,
} from '../../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import {
  type AccountPlan,
  claimed,
  documentRequest,
  finishedDocument,
  newAccount,
  outcomeOf,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase({ poolSize: 20 });

afterAll(async () => {
  expect(await violations(pool)).toEqual([]);
});

async function newKey(docsPerMonth: number | null, plan: AccountPlan = { docs: 100 }) {
  const account = await newAccount(db, plan);
  const { keyId } = await createKey(db, { accountId: account.accountId });
  await setKeyBudget(db, keyId, docsPerMonth);
  const accept = async (at?: Date) => {
    const request = documentRequest(account.templateId, { keyId });
    return (await acceptGeneration(db, account.accountId, request, at)).id;
  };
  return { ...account, keyId, accept };
}

async function spent(keyId: string): Promise<number> {
  const { rows } = await pool.query('select coalesce(sum(docs), 0)::int as docs from key_spending where key_id = $1', [
    keyId,
  ]);
  return rows[0].docs;
}

describe('the budget of a key', () => {
  test('limits its requests and no others; a rejected request uses no quota', async () => {
    const { accountId, templateId, keyId, accept } = await newKey(3);
    expect(tally(await together(20, () => outcomeOf(accept())))).toEqual({ ok: 3, quota_exceeded: 17 });
    await expect(accept()).rejects.toThrow(/budget of this API key/);
    expect((await readQuotas(db, accountId)).remaining.total.docs).toBe(97);
    expect(await spent(keyId)).toBe(3);
    const other = await createKey(db, { accountId });
    expect(await outcomeOf(acceptGeneration(db, accountId, documentRequest(templateId, { keyId: other.keyId })))).toBe(
      'ok',
    );
  });

  test("counts this month's earlier documents when it is set, and refunds them as others", async () => {
    const { accountId, keyId, accept } = await newKey(null);
    const [ended, open] = [await accept(), await accept(), await accept()];
    await cancelGeneration(db, accountId, ended);
    await setKeyBudget(db, keyId, 3);
    expect(await spent(keyId)).toBe(2);
    expect(tally(await together(4, () => outcomeOf(accept())))).toEqual({ ok: 1, quota_exceeded: 3 });
    await cancelGeneration(db, accountId, open);
    expect(await spent(keyId)).toBe(2);
    await setKeyBudget(db, keyId, 5);
    expect(await spent(keyId)).toBe(2);
    await setKeyBudget(db, keyId, null);
    await accept();
    await setKeyBudget(db, keyId, 5);
    expect(await spent(keyId)).toBe(3);
  });

  test('is unchanged when the quota is used up', async () => {
    const { keyId, accept } = await newKey(10, { docs: 2 });
    expect(tally(await together(12, () => outcomeOf(accept())))).toEqual({ ok: 2, quota_exceeded: 10 });
    expect(await spent(keyId)).toBe(2);
  });

  test('is refunded once for each document that failed, was cancelled or was refunded', async () => {
    const { accountId, keyId, accept } = await newKey(3);
    const [failed, cancelled, refunded] = [await accept(), await accept(), await accept()];
    const error = { code: 'internal', message: 'x' } as const;
    const attempt = await claimed(db, failed);
    for (let i = 0; i < 2; i++) await failGeneration(db, attempt, error);
    for (let i = 0; i < 2; i++) await cancelGeneration(db, accountId, cancelled);
    const made = await claimed(db, refunded);
    await succeedGeneration(db, made, finishedDocument(made));
    expect(await spent(keyId)).toBe(1);
    for (let i = 0; i < 2; i++) await refundGeneration(db, refunded);
    expect(await spent(keyId)).toBe(0);
    expect(tally(await together(5, () => outcomeOf(accept())))).toEqual({ ok: 3, quota_exceeded: 2 });
  });

  test('counts calendar months, and refunds go to the month of the request', async () => {
    const { accountId, keyId, accept } = await newKey(1, {
      credits: [{ docs: 9 }],
      at: new Date('2026-01-01T00:00:00Z'),
    });
    const old = await accept(new Date('2026-01-31T23:59:59Z'));
    expect(await outcomeOf(accept(new Date('2026-01-31T23:59:59.999Z')))).toBe('quota_exceeded');
    expect(await outcomeOf(accept(new Date('2026-02-01T00:00:00Z')))).toBe('ok');
    await cancelGeneration(db, accountId, old);
    const { rows } = await pool.query('select month::text, docs from key_spending where key_id = $1 order by 1', [
      keyId,
    ]);
    expect(rows).toEqual([
      { month: '2026-01-01', docs: 0 },
      { month: '2026-02-01', docs: 1 },
    ]);
  });

  test('of zero allows nothing, without a budget everything is allowed, and an unknown key is reported', async () => {
    const { keyId, accept } = await newKey(0);
    expect(await outcomeOf(accept())).toBe('quota_exceeded');
    await setKeyBudget(db, keyId, null);
    expect(await outcomeOf(accept())).toBe('ok');
    expect(await spent(keyId)).toBe(0);
    await expect(setKeyBudget(db, 'key_none', 1)).rejects.toThrow('There is no key key_none');
  });

  test('stays exact while requests and cancellations race', async () => {
    const { accountId, keyId, accept } = await newKey(5);
    const left = await together(60, async (index) => {
      try {
        const id = await accept();
        return index % 2 === 0 && (await cancelGeneration(db, accountId, id)) ? 0 : 1;
      } catch {
        return 0;
      }
    });
    const kept = left.reduce<number>((sum, one) => sum + one, 0);
    expect(kept).toBeLessThanOrEqual(5);
    expect(await spent(keyId)).toBe(kept);
  });
});
