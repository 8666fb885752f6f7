import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createKeyCache } from '../../../../src/api/middleware/key-cache.ts';
import { createKey, revokeKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { findKey } from '../../../../src/shared/domain/api-keys/find-key.ts';
import { listKeys } from '../../../../src/shared/domain/api-keys/list-keys.ts';
import { rotateKey } from '../../../../src/shared/domain/api-keys/rotate-key.ts';
import { newAccount, outcomeOf, tally, together } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();

async function newKey(expiresAt?: Date) {
  const { accountId } = await newAccount(db, { templates: 1 });
  return createKey(db, { accountId, expiresAt });
}

it('a key gives access to its account, and an account may have several keys', async () => {
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

it('a scope that this release does not have allows nothing, and does not hinder the others', async () => {
  const { keyId, apiKey } = await newKey();
  await pool.query(`update api_keys set scopes = '{generate,of-a-later-release}' where id = $1`, [keyId]);
  expect((await findKey(db, apiKey))?.scopes).toEqual(['generate']);
  await pool.query(`update api_keys set scopes = '{of-a-later-release}' where id = $1`, [keyId]);
  expect((await findKey(db, apiKey))?.scopes).toEqual([]);
});

it('a revoked key is rejected; the other keys of the account still work', async () => {
  const first = await newKey();
  const second = await createKey(db, { accountId: first.accountId });
  const { revokedAt } = await revokeKey(db, first.keyId);
  expect(await findKey(db, first.apiKey)).toBeUndefined();
  expect(await findKey(db, second.apiKey)).toBeDefined();
  expect((await revokeKey(db, first.keyId)).revokedAt).toEqual(revokedAt);
  expect(await outcomeOf(revokeKey(db, 'key_none'))).toBe('not_found');
});

it('a key is rejected once it has expired', async () => {
  expect(await findKey(db, (await newKey(new Date(Date.now() - 1))).apiKey)).toBeUndefined();
  expect(await findKey(db, (await newKey(new Date(Date.now() + 60_000))).apiKey)).toBeDefined();
});

it('a cached key is also rejected once it has expired', async () => {
  const cache = createKeyCache(db, 10);
  const { apiKey, keyId } = await newKey(new Date(Date.now() + 60_000));
  const lasting = await newKey();
  expect(await cache.find(apiKey)).toMatchObject({ keyId });
  expect(cache.peek(apiKey)).toMatchObject({ keyId });
  await pool.query(`update api_keys set expires_at = now() + interval '2 s' where id = $1`, [keyId]);
  const late = createKeyCache(db, 10);
  await Promise.all([late.find(apiKey), late.find(lasting.apiKey)]);
  await delay(2_100);
  expect(late.peek(apiKey)).toBeUndefined();
  expect(await late.find(apiKey)).toBeUndefined();
  expect(late.peek(lasting.apiKey)).toMatchObject({ keyId: lasting.keyId });
});

it('a key that differs in any character is rejected', async () => {
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

it('the database contains no part of the secret', async () => {
  const { apiKey, keyId } = await newKey();
  const secret = apiKey.split('_')[2] ?? '';
  const { rows } = await pool.query('select api_keys::text as row from api_keys where id = $1', [keyId]);
  expect(secret).toHaveLength(40);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

const rotate = (keyId: string, overlapMs = 60_000, isForced = false) => rotateKey(db, { keyId, overlapMs, isForced });

it('a rotated key works with its new and, during the overlap, with its previous secret, as the same key', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const before = await createKey(db, { accountId, name: 'Shop', scopes: ['generate'], isTest: true, expiresAt });
  const after = await rotate(before.keyId);
  expect(after.keyId).toBe(before.keyId);
  expect(after.apiKey).toMatch(/^dts_test_/);
  const holder = { accountId, keyId: before.keyId, scopes: ['generate'], isTest: true };
  expect(await findKey(db, after.apiKey)).toMatchObject(holder);
  expect(await findKey(db, before.apiKey)).toMatchObject(holder);
  expect((await findKey(db, before.apiKey))?.expiresInMs).toBeLessThanOrEqual(60_000);
  expect((await findKey(db, after.apiKey))?.expiresInMs).toBeGreaterThan(3_000_000);
  expect(await listKeys(db, accountId)).toMatchObject([
    { name: 'Shop', expiresAt, previousSecretUntil: after.previousSecretUntil },
  ]);
});

it('the previous secret ends with the overlap, in caches too; the new one stays', async () => {
  const before = await newKey();
  const after = await rotate(before.keyId, 2_000);
  const cache = createKeyCache(db, 10);
  expect(await cache.find(before.apiKey)).toMatchObject({ keyId: before.keyId });
  expect(await cache.find(after.apiKey)).toMatchObject({ keyId: before.keyId });
  await delay(2_100);
  expect(cache.peek(before.apiKey)).toBeUndefined();
  expect(await cache.find(before.apiKey)).toBeUndefined();
  expect(cache.peek(after.apiKey)).toMatchObject({ keyId: before.keyId });
  expect((await listKeys(db, before.accountId))[0]?.previousSecretUntil).toBeNull();
});

it('a second rotation is refused while the overlap lasts, and with force ends it', async () => {
  const first = await newKey();
  const second = await rotate(first.keyId);
  await expect(rotate(first.keyId)).rejects.toThrow(/works until .*--force/);
  expect(await findKey(db, second.apiKey)).toBeDefined();
  const third = await rotate(first.keyId, 60_000, true);
  const found = await Promise.all([first, second, third].map(({ apiKey }) => findKey(db, apiKey)));
  expect(found.map((holder) => holder?.keyId)).toEqual([undefined, first.keyId, first.keyId]);
});

it('after the overlap, or without one, a key is rotated again', async () => {
  const first = await newKey();
  const second = await rotate(first.keyId, 0);
  expect(await findKey(db, first.apiKey)).toBeUndefined();
  const third = await rotate(first.keyId, 0);
  expect(await findKey(db, second.apiKey)).toBeUndefined();
  expect(await findKey(db, third.apiKey)).toBeDefined();
});

it('of operators that rotate a key at once, one succeeds', async () => {
  const { keyId, apiKey } = await newKey();
  expect(tally(await together(8, () => outcomeOf(rotate(keyId))))).toEqual({ ok: 1, conflict: 7 });
  expect(await findKey(db, apiKey)).toMatchObject({ keyId });
});

it('a revoked key has no secret that works, and is not rotated', async () => {
  const before = await newKey();
  const after = await rotate(before.keyId);
  await revokeKey(db, before.keyId);
  expect(await findKey(db, before.apiKey)).toBeUndefined();
  expect(await findKey(db, after.apiKey)).toBeUndefined();
  await expect(rotate(before.keyId, 0, true)).rejects.toThrow(/is revoked or has expired/);
  expect(await outcomeOf(rotate('key_none'))).toBe('not_found');
  const expired = await newKey(new Date(Date.now() - 1));
  expect(await outcomeOf(rotate(expired.keyId))).toBe('conflict');
});
