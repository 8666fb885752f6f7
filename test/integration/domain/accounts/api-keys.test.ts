import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createKeyCache } from '../../../../src/api/middleware/key-cache.ts';
import { setKeyBudget } from '../../../../src/shared/domain/api-keys/budget.ts';
import { createKey, revokeKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { findKey } from '../../../../src/shared/domain/api-keys/find-key.ts';
import { listKeys } from '../../../../src/shared/domain/api-keys/list-keys.ts';
import { rotateKey } from '../../../../src/shared/domain/api-keys/rotate-key.ts';
import { cancelDocument, failDocument, refundDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import {
  type AccountPlan,
  claimed,
  internalError,
  newAccount,
  outcomeOf,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
keepRules(pool);

async function newKey(expiresAt?: Date) {
  const { accountId } = await newAccount(db, { templates: 1 });
  return createKey(db, { accountId, expiresAt });
}
const inMs = (ms: number) => new Date(Date.now() + ms);
/** Keeps what it has found for an hour, unless the key ends before. */
const newCache = () => createKeyCache(db, 3_600);

describe('a key', () => {
  it('gives access to its account, which may have several', async () => {
    const first = await newKey();
    const second = await createKey(db, { accountId: first.accountId });
    expect(first.apiKey).toMatch(/^dts_/);
    expect(await findKey(db, first.apiKey)).toEqual({
      accountId: first.accountId,
      keyId: first.keyId,
      scopes: null,
      isTest: false,
      isSuspended: false,
      expiresInMs: undefined,
    });
    expect(await findKey(db, second.apiKey)).toMatchObject({ accountId: first.accountId, keyId: second.keyId });
  });

  it('that is revoked is rejected once its cache entry has expired', async () => {
    const [cache, { apiKey, keyId }] = [createKeyCache(db, 10), await newKey()];
    expect(await cache.find(apiKey)).toMatchObject({ keyId });
    await revokeKey(db, keyId);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
    onTestFinished(() => clock.mockRestore());
    expect(await cache.find(apiKey)).toBeUndefined();
  });

  it('that was valid is remembered as valid after its cache entry has expired, until it is revoked', async () => {
    const { apiKey, keyId } = await newKey();
    const cache = createKeyCache(db, 0);
    expect(cache.wasLive(apiKey)).toBe(false);
    await cache.find(apiKey);
    await expect.poll(() => cache.peek(apiKey)).toBeUndefined();
    expect(cache.wasLive(apiKey)).toBe(true);
    await revokeKey(db, keyId);
    await cache.find(apiKey);
    expect(cache.wasLive(apiKey)).toBe(false);
  });

  it('for tests has a prefix of its own, which is part of the secret', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    const { apiKey, keyId } = await createKey(db, { accountId, isTest: true });
    expect(apiKey).toMatch(/^dts_test_[0-9a-z]{16}_[0-9a-z]{40}$/);
    expect(await findKey(db, apiKey)).toMatchObject({ accountId, keyId, isTest: true });
    expect(await findKey(db, apiKey.replace('test_', ''))).toBeUndefined();
  });

  it('with a scope that this release does not have may do what its other scopes allow', async () => {
    const { keyId, apiKey } = await newKey();
    await pool.query(`update api_keys set scopes = '{generate,of-a-later-release}' where id = $1`, [keyId]);
    expect((await findKey(db, apiKey))?.scopes).toEqual(['generate']);
    await pool.query(`update api_keys set scopes = '{of-a-later-release}' where id = $1`, [keyId]);
    expect((await findKey(db, apiKey))?.scopes).toEqual([]);
  });

  it('that is revoked is rejected; the other keys of the account still work', async () => {
    const first = await newKey();
    const second = await createKey(db, { accountId: first.accountId });
    const { revokedAt } = await revokeKey(db, first.keyId);
    expect(await findKey(db, first.apiKey)).toBeUndefined();
    expect(await findKey(db, second.apiKey)).toBeDefined();
    expect((await revokeKey(db, first.keyId)).revokedAt).toEqual(revokedAt);
    expect(await outcomeOf(revokeKey(db, 'key_none'))).toBe('not_found');
  });

  it('is rejected once it has expired, in caches too', async () => {
    expect(await findKey(db, (await newKey(inMs(-1))).apiKey)).toBeUndefined();
    const [{ apiKey, keyId }, lasting] = [await newKey(inMs(60_000)), await newKey()];
    const [early, late] = [newCache(), newCache()];
    expect(await early.find(apiKey)).toMatchObject({ keyId });
    expect(early.peek(apiKey)).toMatchObject({ keyId });
    await pool.query(`update api_keys set expires_at = now() + interval '500 ms' where id = $1`, [keyId]);
    await Promise.all([late.find(apiKey), late.find(lasting.apiKey)]);
    await expect.poll(() => late.peek(apiKey)).toBeUndefined();
    await expect.poll(() => late.find(apiKey)).toBeUndefined();
    expect(late.peek(lasting.apiKey)).toMatchObject({ keyId: lasting.keyId });
  });

  it('that differs in any character is rejected', async () => {
    const { apiKey, accountId } = await newKey();
    const last = apiKey.at(-1) === '0' ? '1' : '0';
    const attempts = [
      `${apiKey.slice(0, -1)}${last}`,
      apiKey.slice(0, -1),
      `${apiKey}0`,
      apiKey.toUpperCase(),
      ` ${apiKey}`,
      `${apiKey}\n`,
      apiKey.replace('dts_', 'xyz_'),
      '',
      accountId,
      `${apiKey.slice(0, 21)}${'0'.repeat(40)}`,
      "dts_' or true --",
      'd'.repeat(100_000),
    ];
    for (const attempt of attempts) expect(await findKey(db, attempt)).toBeUndefined();
  });

  it('leaves no part of its secret in the database', async () => {
    const { apiKey, keyId } = await newKey();
    const secret = apiKey.split('_')[2] ?? '';
    const { rows } = await pool.query('select api_keys::text as row from api_keys where id = $1', [keyId]);
    expect(secret).toHaveLength(40);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('a rotated key', () => {
  const rotate = (keyId: string, overlapMs = 60_000, isForced = false) => rotateKey(db, { keyId, overlapMs, isForced });

  it('works with its new and, during the overlap, with its previous secret, as the same key', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    const expiresAt = inMs(3_600_000);
    const before = await createKey(db, { accountId, name: 'Shop', scopes: ['generate'], isTest: true, expiresAt });
    const after = await rotate(before.keyId);
    expect(after.keyId).toBe(before.keyId);
    expect(after.apiKey).toMatch(/^dts_test_/);
    const holder = { accountId, keyId: before.keyId, scopes: ['generate'], isTest: true };
    const [found, previous] = [await findKey(db, after.apiKey), await findKey(db, before.apiKey)];
    expect([found, previous]).toMatchObject([holder, holder]);
    expect(previous?.expiresInMs).toBeLessThanOrEqual(60_000);
    expect(found?.expiresInMs).toBeGreaterThan(60_000);
    expect(await listKeys(db, accountId)).toMatchObject([
      { name: 'Shop', expiresAt, previousSecretUntil: after.previousSecretUntil },
    ]);
  });

  it('loses its previous secret when the overlap ends, in caches too, and keeps the new one', async () => {
    const before = await newKey();
    const after = await rotate(before.keyId, 500);
    const cache = newCache();
    await cache.find(before.apiKey);
    expect(await cache.find(after.apiKey)).toMatchObject({ keyId: before.keyId });
    await expect.poll(() => cache.peek(before.apiKey)).toBeUndefined();
    await expect.poll(() => cache.find(before.apiKey)).toBeUndefined();
    expect(cache.peek(after.apiKey)).toMatchObject({ keyId: before.keyId });
    expect((await listKeys(db, before.accountId))[0]?.previousSecretUntil).toBeNull();
  });

  it('is not rotated again while the overlap lasts, except with force, which ends it', async () => {
    const first = await newKey();
    const second = await rotate(first.keyId);
    await expect(rotate(first.keyId)).rejects.toThrow(/works until .*--force/);
    expect(await findKey(db, second.apiKey)).toBeDefined();
    const third = await rotate(first.keyId, 60_000, true);
    const found = await Promise.all([first, second, third].map(({ apiKey }) => findKey(db, apiKey)));
    expect(found.map((holder) => holder?.keyId)).toEqual([undefined, first.keyId, first.keyId]);
  });

  it('without an overlap is rotated again at once', async () => {
    const first = await newKey();
    const second = await rotate(first.keyId, 0);
    const third = await rotate(first.keyId, 0);
    const found = await Promise.all([first, second, third].map(({ apiKey }) => findKey(db, apiKey)));
    expect(found.map((holder) => holder?.keyId)).toEqual([undefined, undefined, first.keyId]);
  });

  it('is rotated by only one of several operators who try at once', async () => {
    const { keyId, apiKey } = await newKey();
    expect(tally(await together(8, () => outcomeOf(rotate(keyId))))).toEqual({ ok: 1, conflict: 7 });
    expect(await findKey(db, apiKey)).toMatchObject({ keyId });
  });

  it('that is revoked has no working secret; one that has expired cannot be rotated', async () => {
    const before = await newKey();
    const after = await rotate(before.keyId);
    await revokeKey(db, before.keyId);
    expect([await findKey(db, before.apiKey), await findKey(db, after.apiKey)]).toEqual([undefined, undefined]);
    await expect(rotate(before.keyId, 0, true)).rejects.toThrow(/is revoked or has expired/);
    expect(await outcomeOf(rotate('key_none'))).toBe('not_found');
    expect(await outcomeOf(rotate((await newKey(inMs(-1))).keyId))).toBe('conflict');
  });
});

describe('the budget of a key', () => {
  async function newBudget(docsPerMonth: number | null, plan: AccountPlan = { docs: 100 }) {
    const account = await newAccount(db, plan);
    const { keyId } = await createKey(db, { accountId: account.accountId });
    const set = (docs: number | null) => setKeyBudget(db, keyId, docs);
    await set(docsPerMonth);
    return {
      account,
      accountId: account.accountId,
      keyId,
      set,
      accept: (at?: Date) => account.accept({ keyId }, at),
      async spent(): Promise<number> {
        const { rows } = await pool.query('select sum(docs)::int as docs from key_spending where key_id = $1', [keyId]);
        return rows[0].docs ?? 0;
      },
      async spentByMonth(): Promise<readonly object[]> {
        const months = 'select month::text, docs from key_spending where key_id = $1 order by 1';
        return (await pool.query(months, [keyId])).rows;
      },
    };
  }

  it('limits its requests and no others; a rejected request uses no quota', async () => {
    const { account, accept, spent } = await newBudget(3);
    expect(tally(await together(20, () => outcomeOf(accept())))).toEqual({ ok: 3, quota_exceeded: 17 });
    await expect(accept()).rejects.toThrow(/budget of this API key/);
    expect([await account.docsLeft(), await spent()]).toEqual([97, 3]);
    const other = await createKey(db, { accountId: account.accountId });
    expect(await outcomeOf(account.accept({ keyId: other.keyId }))).toBe('ok');
  });

  it("counts this month's earlier documents when it is set, and refunds them like any other", async () => {
    const { accountId, accept, set, spent } = await newBudget(null);
    const [ended, open] = [await accept(), await accept(), await accept()];
    await cancelDocument(db, accountId, ended);
    await set(3);
    expect(await spent()).toBe(2);
    expect(tally(await together(4, () => outcomeOf(accept())))).toEqual({ ok: 1, quota_exceeded: 3 });
    await cancelDocument(db, accountId, open);
    expect(await spent()).toBe(2);
    await set(5);
    expect(await spent()).toBe(2);
    await set(null);
    await accept();
    await set(5);
    expect(await spent()).toBe(3);
  });

  it('is unchanged when the quota is used up', async () => {
    const { accept, spent } = await newBudget(10, { docs: 2 });
    expect(tally(await together(12, () => outcomeOf(accept())))).toEqual({ ok: 2, quota_exceeded: 10 });
    expect(await spent()).toBe(2);
  });

  it('is refunded once for each document that failed, was cancelled or was refunded', async () => {
    const { account, accountId, keyId, accept, spent } = await newBudget(3);
    const [failed, cancelled] = [await accept(), await accept()];
    const refunded = await account.produce({ keyId });
    const attempt = await claimed(db, failed);
    for (let i = 0; i < 2; i++) await failDocument(db, attempt, internalError);
    for (let i = 0; i < 2; i++) await cancelDocument(db, accountId, cancelled);
    expect(await spent()).toBe(1);
    for (let i = 0; i < 2; i++) await refundDocument(db, refunded);
    expect(await spent()).toBe(0);
    expect(tally(await together(5, () => outcomeOf(accept())))).toEqual({ ok: 3, quota_exceeded: 2 });
  });

  it('counts calendar months, and refunds go to the month of the request', async () => {
    const plan = { credits: [{ docs: 9 }], at: new Date('2026-01-01T00:00:00Z') };
    const { accountId, accept, spentByMonth } = await newBudget(1, plan);
    const old = await accept(new Date('2026-01-31T23:59:59Z'));
    expect(await outcomeOf(accept(new Date('2026-01-31T23:59:59.999Z')))).toBe('quota_exceeded');
    expect(await outcomeOf(accept(new Date('2026-02-01T00:00:00Z')))).toBe('ok');
    await cancelDocument(db, accountId, old);
    expect(await spentByMonth()).toEqual([
      { month: '2026-01-01', docs: 0 },
      { month: '2026-02-01', docs: 1 },
    ]);
  });

  it('of zero allows nothing, without a budget everything is allowed, and an unknown key is reported', async () => {
    const { accept, set, spent } = await newBudget(0);
    expect(await outcomeOf(accept())).toBe('quota_exceeded');
    await set(null);
    expect(await outcomeOf(accept())).toBe('ok');
    expect(await spent()).toBe(0);
    await expect(setKeyBudget(db, 'key_none', 1)).rejects.toThrow('There is no key key_none');
  });

  it('stays exact while requests and cancellations race', async () => {
    const { accountId, accept, spent } = await newBudget(5);
    const left = await together(60, async (index): Promise<number> => {
      try {
        const id = await accept();
        return index % 2 === 0 && (await cancelDocument(db, accountId, id)) ? 0 : 1;
      } catch {
        return 0;
      }
    });
    const kept = left.reduce((sum, one) => sum + one, 0);
    expect(kept).toBeLessThanOrEqual(5);
    expect(await spent()).toBe(kept);
  });
});
