import { describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient, clientOf, operator, url } = await useService(inject('stack'));

interface Described {
  readonly 'x-scope'?: string;
}
const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const scopes = ['templates:read', 'templates:write', 'generate', 'account:read', 'webhooks'] as const;

/** The scope that the guide names for an operation; undefined for one that needs none. */
function scopeInGuide(method: string, path: string): string | undefined {
  if (path === '/v1/account/key') return undefined;
  if (path.startsWith('/v1/account/')) return 'account:read';
  if (path.startsWith('/v1/webhooks')) return 'webhooks';
  if (/^\/v1\/(jobs|batches|deliveries)|\/(generate|preview|batches)$/.test(path)) return 'generate';
  return method === 'GET' ? 'templates:read' : 'templates:write';
}

const ids: Readonly<Record<string, string>> = {
  id: `tpl_${'0'.repeat(26)}`,
  version: '1',
  deliveryId: `whd_${'0'.repeat(26)}`,
};
const pathOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x');

const client = await newClient();
const createKey = (options: Readonly<Record<string, string>>) =>
  operator.run<{ keyId: string; apiKey: string }>('create-key', { account: client.accountId, ...options });
const keys = await Promise.all(
  scopes.map(async (scope) => ({ scope, limited: clientOf((await createKey({ scopes: scope })).apiKey) })),
);

describe.each(operations)('$method $path', ({ method, path, operation }) => {
  const needed = scopeInGuide(method, path);

  test('its entry in the OpenAPI document names the scope', () => {
    expect(operation['x-scope']).toBe(needed);
  });

  test.each(keys)('a key for $scope is admitted if that is the scope', async ({ scope, limited }) => {
    const answer = await limited.call(method, pathOf(path));
    if (needed === undefined || scope === needed) {
      expect([401, 403, 500, 503]).not.toContain(answer.status);
      return;
    }
    expectProblem(answer, 403, `This API key lacks the scope ${needed}. Use a key that has it.`);
    expect(answer.headers.get('Error-Code')).toBe('insufficient_scope');
    expect(answer.headers.get('WWW-Authenticate')).toBe(`Bearer error="insufficient_scope", scope="${needed}"`);
    expect(answer.headers.get('X-Request-Id')).toMatch(/^req_/);
  });
});

test('a key with two scopes has both, and a key without a list has all', async () => {
  const { apiKey } = await createKey({ scopes: 'generate, templates:read', name: 'Web shop' });
  const shop = clientOf(apiKey);
  const { id } = await client.template('a.docx', letter('{x}'));
  expect((await shop.call('GET', `/v1/templates/${id}`)).status).toBe(200);
  expect((await shop.generate(id, { data: { x: 1 } })).status).toBe(200);
  expectProblem(await shop.call('DELETE', `/v1/templates/${id}`), 403, /templates:write/);
  expect((await shop.call('HEAD', '/v1/account/quotas')).status).toBe(403);
  expect((await client.call('DELETE', `/v1/templates/${id}`)).status).toBe(204);
});

test('a refused request changes and charges nothing', async () => {
  const { id } = await client.template('b.docx', letter('{x}'));
  const before = await client.quotas();
  const { apiKey } = await createKey({ scopes: 'account:read' });
  const reader = clientOf(apiKey);
  expectProblem(await reader.generate(id, { data: {} }, { 'Idempotency-Key': 'refused' }), 403);
  expectProblem(await reader.upload('c.docx', letter('{x}')), 403);
  expect(await client.quotas()).toEqual(before);
  expect((await client.generate(id, { data: {} }, { 'Idempotency-Key': 'refused' })).status).toBe(200);
});

test('keys are listed with their names, scopes and times, and without their secrets', async () => {
  const { accountId } = await newClient();
  const options = { account: accountId, name: 'Ünïted shop', scopes: 'webhooks', expires: '2099-01-31' };
  const { keyId, apiKey } = await operator.run<{ keyId: string; apiKey: string }>('create-key', options);
  const printed = await operator.run<{ keys: object[] }>('list-keys', { account: accountId });
  expect(printed.keys).toEqual([
    expect.objectContaining({ name: null, scopes: null, expiresAt: null, revokedAt: null }),
    expect.objectContaining({
      keyId,
      name: 'Ünïted shop',
      scopes: ['webhooks'],
      expiresAt: '2099-01-31T23:59:59.999Z',
    }),
  ]);
  expect(JSON.stringify(printed)).not.toContain(apiKey.slice(-40));
  expect(JSON.stringify(printed)).not.toMatch(/secret(?!Until)|hash|publicId/i);
});
