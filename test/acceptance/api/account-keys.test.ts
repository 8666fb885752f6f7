import { describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { expireNow } from '../../support/services/expire-now.ts';
import { letter } from './samples.ts';

const stack = inject('stack');
const { newClient, clientOf, anonymous, operator } = await useService(stack);

interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly status: string;
  readonly scopes: readonly string[];
  readonly lastUsedAt?: string;
}

const everyScope = ['templates:read', 'templates:write', 'documents:read', 'generate', 'account:read', 'webhooks'];
const createKey = (account: string, options: Readonly<Record<string, string>> = {}) =>
  operator.run<{ keyId: string; apiKey: string }>('create-key', { account, ...options });

describe('the key of a request', () => {
  test('can be described by any key, whatever its scopes', async () => {
    const client = await newClient();
    const own = await client.call('GET', '/v1/account/key');
    expect(own.json()).toEqual({
      id: client.keyId,
      account: { id: client.accountId, name: 'acceptance' },
      prefix: client.apiKey.slice(0, 12),
      kind: 'live',
      status: 'active',
      scopes: everyScope,
      hasAllScopes: true,
      createdAt: expect.stringMatching(/^20.*Z$/),
    });
    const options = { name: 'Reader', scopes: 'webhooks', kind: 'test', expires: '2099-01-31' };
    const { keyId, apiKey } = await createKey(client.accountId, options);
    expect((await clientOf(apiKey).call('GET', '/v1/account/key')).json()).toEqual({
      id: keyId,
      account: { id: client.accountId, name: 'acceptance' },
      name: 'Reader',
      prefix: apiKey.slice(0, 17),
      kind: 'test',
      status: 'active',
      scopes: ['webhooks'],
      hasAllScopes: false,
      createdAt: expect.any(String),
      expiresAt: '2099-01-31T23:59:59.999Z',
    });
    expectProblem(await anonymous.call('GET', '/v1/account/key'), 401);
  });

  test('shows what is left of its budget', async () => {
    const client = await newClient({ docs: 10 });
    const { id } = await client.template('a.docx', letter('Dear {name}'));
    await operator.run('set-budget', { key: client.keyId, docs: 3 });
    const budget = async () => (await client.call('GET', '/v1/account/key')).json<{ budget: object }>().budget;
    expect(await budget()).toEqual({ docsPerMonth: 3, remaining: 3 });
    expect((await client.generate(id, { data: {}, output: { onMissing: 'error' } })).status).toBe(400);
    expect((await client.generate(id, { data: {} })).status).toBe(200);
    expect(await budget()).toEqual({ docsPerMonth: 3, remaining: 2 });
  });

  test('shows when it was last used', async () => {
    const client = await newClient();
    const before = Date.now();
    await client.call('GET', '/v1/templates');
    const lastUse = async () => (await client.call('GET', '/v1/account/key')).json<Key>().lastUsedAt;
    await expect.poll(lastUse, { interval: 500 }).toBeDefined();
    expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThanOrEqual(before - 2_000);
  });
});

describe('the keys of an account', () => {
  test('are listed newest first, in every state, and without secrets', async () => {
    const client = await newClient();
    const revoked = await createKey(client.accountId, { name: '<b>Old & shop</b>' });
    await operator.run('revoke-key', { key: revoked.keyId });
    const expired = await createKey(client.accountId, { expires: '2099-01-31' });
    await expireNow(stack, 'key', expired.keyId);
    const rotated = await operator.run<{ apiKey: string }>('rotate-key', { key: client.keyId });
    const keys = (await client.call('GET', '/v1/account/keys')).json<Key[]>();
    expect(keys).toEqual([
      expect.objectContaining({ id: expired.keyId, status: 'expired', expiresAt: expect.any(String) }),
      expect.objectContaining({ id: revoked.keyId, status: 'revoked', name: '<b>Old & shop</b>' }),
      expect.objectContaining({ id: client.keyId, status: 'active', previousSecretUntil: expect.any(String) }),
    ]);
    expect(keys[2]?.prefix).toBe(rotated.apiKey.slice(0, 12));
    const printed = JSON.stringify(keys);
    for (const { apiKey } of [revoked, expired, rotated, client]) {
      expect(printed).not.toContain(apiKey.slice(-40));
      expect(printed).not.toContain(apiKey.slice(0, 20));
    }
  });

  test('are listed page by page, for their own account only', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const { keyId } = await createKey(client.accountId);
    const first = await client.call('GET', '/v1/account/keys?limit=1');
    expect(first.json<Key[]>().map(({ id }) => id)).toEqual([keyId]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(next);
    const second = await client.call('GET', `${pathname}${search}`);
    expect(second.json<Key[]>().map(({ id }) => id)).toEqual([client.keyId]);
    expect(second.headers.get('Link')).toBeNull();
    expect((await other.call('GET', '/v1/account/keys')).json<Key[]>().map(({ id }) => id)).toEqual([other.keyId]);
  });
});

test('a key with two scopes may use both; any other operation is refused, changes nothing and charges nothing', async () => {
  const client = await newClient();
  const { apiKey } = await createKey(client.accountId, { scopes: 'generate, templates:read', name: 'Ünïted shop' });
  const shop = clientOf(apiKey);
  const { id } = await client.template('a.docx', letter('{x}'));
  expect((await shop.call('GET', `/v1/templates/${id}`)).status).toBe(200);
  expect((await shop.generate(id, { data: { x: 1 } })).status).toBe(200);
  expectProblem(await shop.call('DELETE', `/v1/templates/${id}`), 403, /templates:write/);
  expect((await shop.call('HEAD', '/v1/account/quotas')).status).toBe(403);
  const before = await client.quotas();
  const reader = clientOf((await createKey(client.accountId, { scopes: 'account:read' })).apiKey);
  expectProblem(await reader.generate(id, { data: {} }, { 'Idempotency-Key': 'refused' }), 403);
  expectProblem(await reader.upload('c.docx', letter('{x}')), 403);
  expect(await client.quotas()).toEqual(before);
  expect((await client.generate(id, { data: {} }, { 'Idempotency-Key': 'refused' })).status).toBe(200);
  const printed = await operator.run<{ keys: object[] }>('list-keys', { account: client.accountId });
  expect(printed.keys).toContainEqual(
    expect.objectContaining({ name: 'Ünïted shop', scopes: ['generate', 'templates:read'], revokedAt: null }),
  );
  expect(JSON.stringify(printed)).not.toContain(apiKey.slice(-40));
  expect(JSON.stringify(printed)).not.toMatch(/secret(?!Until)|hash|publicId/i);
});
