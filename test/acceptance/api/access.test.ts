import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { address, letter } from './samples.ts';

const { newClient, clientOf, anonymous, operator, url } = await useService(inject('stack'));

const unknownTemplate = 'tpl_00000000000000000000000000';
const unknownDelivery = 'dlv_00000000000000000000000000';
const form = () => uploadForm('a.docx', letter('{x}'));

/** Every operation on a resource; `id` belongs to an existing or a missing one. */
const operations: readonly [name: string, method: string, path: (ids: Ids) => string, options?: () => object][] = [
  ['get', 'GET', ({ template }) => `/v1/templates/${template}`],
  ['download', 'GET', ({ template }) => `/v1/templates/${template}/content`],
  ['rename', 'PUT', ({ template }) => `/v1/templates/${template}`, () => ({ json: { name: 'stolen.docx' } })],
  ['re-upload', 'PUT', ({ template }) => `/v1/templates/${template}/content`, () => ({ body: form() })],
  ['delete', 'DELETE', ({ template }) => `/v1/templates/${template}`],
  ['generate', 'POST', ({ template }) => `/v1/templates/${template}/generate`, () => ({ json: { data: {} } })],
  ['delivery', 'GET', ({ delivery }) => `/v1/deliveries/${delivery}`],
  ['resend', 'POST', ({ delivery }) => `/v1/deliveries/${delivery}/resend`],
];
interface Ids {
  readonly template: string;
  readonly delivery: string;
}

describe('keys', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await newClient();
  });

  test('a missing, malformed, unknown, revoked and expired key get the same response', async () => {
    const [revoked, expired] = await Promise.all([
      operator.createKey(client.accountId),
      operator.createKey(client.accountId, new Date(Date.now() + 3_000).toISOString()),
    ]);
    await operator.run('revoke-key', { key: revoked.keyId });
    const headers = [
      {},
      { Authorization: '' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer ' },
      { Authorization: client.apiKey },
      { Authorization: `Basic ${client.apiKey}` },
      { Authorization: `Bearer ${client.apiKey}x` },
      { Authorization: `Bearer ${client.apiKey} x` },
      { Authorization: `Bearer ${client.apiKey.slice(0, -1)}${client.apiKey.endsWith('0') ? '1' : '0'}` },
      { Authorization: `Bearer ${client.apiKey.toUpperCase()}` },
      { Authorization: `Bearer ${'k'.repeat(5_000)}` },
      { Authorization: 'Bearer kéy' },
      { Authorization: `Bearer ${revoked.apiKey}` },
      { Authorization: `Bearer ${expired.apiKey}` },
      { 'X-Api-Key': client.apiKey },
    ];
    const withExpired = { headers: { Authorization: `Bearer ${expired.apiKey}` } };
    const status = async () => (await anonymous.call('GET', '/v1/templates', withExpired)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(401);
    for (const each of headers) {
      const answer = await anonymous.call('GET', '/v1/templates', { headers: each });
      expect(answer.json()).toStrictEqual({ error: { status: 401, message: 'Missing or invalid API key' } });
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
    expectProblem(await anonymous.call('GET', `/v1/templates?api_key=${client.apiKey}`), 401);
  });

  test.each(operations)('%s requires a key before anything else is checked', async (_name, method, path, options) => {
    const ids = { template: unknownTemplate, delivery: unknownDelivery };
    expectProblem(await anonymous.call(method, path(ids), options?.()), 401);
  });

  test('the authorization scheme is case-insensitive', async () => {
    const headers = { Authorization: `bearer ${client.apiKey}` };
    expect((await anonymous.call('GET', '/v1/account/quotas', { headers })).status).toBe(200);
  });

  test('an account has several keys; a revoked one is rejected within 10 seconds, the others still work', async () => {
    const { keyId, apiKey } = await operator.createKey(client.accountId, '2100-01-01');
    const second = clientOf(apiKey);
    expect((await second.call('GET', '/v1/templates')).status).toBe(200);
    await operator.run('revoke-key', { key: keyId });
    const read = async () => expectProblem(await second.call('GET', '/v1/templates'), 401);
    await vi.waitFor(read, { timeout: 10_000, interval: 250 });
    expect((await client.call('GET', '/v1/templates')).status).toBe(200);
  });
});

/** Of this test alone: other files send requests from the usual address at the same time. macOS has no other one. */
const ownAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

/** Status and Retry-After of a request from `ownAddress`. */
async function listWith(apiKey: string): Promise<{ readonly status: number; readonly waitSeconds: number }> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const sent = request(`${url}/v1/templates`, { localAddress: ownAddress, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode ?? 0, waitSeconds: Number(response.headers['retry-after']) };
}

test('an address that keeps sending invalid keys has to wait; a known key still works', async () => {
  const client = await newClient();
  expect((await listWith(client.apiKey)).status).toBe(200);
  const guess = (i: number) => listWith(client.apiKey.slice(0, -3) + String((i % 900) + 100));
  const answers: Awaited<ReturnType<typeof listWith>>[] = [];
  while (answers.length < 3_000 && !answers.some(({ status }) => status === 429))
    answers.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => guess(answers.length + i)))));
  expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
  const refused = answers.findLast(({ status }) => status === 429);
  expect(refused?.waitSeconds).toBeGreaterThanOrEqual(1);
  expect(refused?.waitSeconds).toBeLessThanOrEqual(10);
  expect((await listWith(client.apiKey)).status).toBe(200);
  const { apiKey } = await operator.createKey(client.accountId);
  await expect.poll(async () => (await listWith(apiKey)).status, { interval: 500 }).toBe(200);
});

describe('resources of another account', () => {
  let owner: TestClient;
  let other: TestClient;
  let ids: Ids;
  beforeAll(async () => {
    [owner, other] = await Promise.all([newClient(), newClient()]);
    const { id: template } = await owner.template('mine.docx', letter('Dear {name}'));
    const email = { to: [address()] };
    const answer = await owner.generate(template, { data: {}, output: { email } });
    ids = { template, delivery: answer.headers.get('Email-Delivery-Id') ?? '' };
  });

  test.each(operations)(
    '%s: is answered like an unknown id, and changes nothing',
    async (_name, method, path, options) => {
      const before = (await owner.call('GET', `/v1/templates/${ids.template}`)).json();
      const foreign = await other.call(method, path(ids), options?.());
      const unknown = await other.call(
        method,
        path({ template: unknownTemplate, delivery: unknownDelivery }),
        options?.(),
      );
      expectProblem(foreign, 404);
      expect(foreign.json()).toStrictEqual(unknown.json());
      expect((await owner.call('GET', `/v1/templates/${ids.template}`)).json()).toStrictEqual(before);
      expect((await other.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 50 });
      expect((await other.call('GET', '/v1/templates')).json()).toEqual([]);
    },
  );

  test.each(operations)('%s: a malformed id is not found', async (_name, method, path, options) => {
    const odd = ['x', '%00', '%FF', '%E0%A4%A', '..%2F..', "';--", '%F0%9F%98%80', `tpl_${'9'.repeat(300)}`, '*'];
    for (const id of odd) {
      expectProblem(await other.call(method, path({ template: id, delivery: id }), options?.()), 404);
    }
  });
});

describe('paths without an operation', () => {
  let client: TestClient;
  let template: string;
  beforeAll(async () => {
    client = await newClient();
    template = (await client.template('a.docx', letter('{x}'))).id;
  });

  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v2/templates'],
    ['GET', '/V1/templates'],
    ['GET', '/v1/templates/'],
    ['GET', '/v1//templates'],
    ['GET', '/v1/template'],
    ['GET', '/v1/templates/:id/content/more'],
    ['GET', '/v1/account'],
    ['GET', '/v1/account/quotas/1'],
    ['GET', '/docs/../package.json'],
    ['GET', '/docs/%2e%2e/package.json'],
    ['GET', '/docs/swagger-ui.js'],
  ])('%s %s', async (method, path) => {
    expectProblem(await client.call(method, path.replace(':id', template)), 404);
    expect((await client.call('GET', `/v1/templates/${template}`)).status).toBe(200);
  });

  test.each([
    ['PUT', '/v1/templates', 'GET, HEAD, OPTIONS, POST'],
    ['PATCH', '/v1/templates', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/v1/templates', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/v1/templates/:id', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['PATCH', '/v1/templates/:id', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['PATCH', '/v1/templates/no-such-id', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['POST', '/v1/templates/:id/content', 'GET, HEAD, OPTIONS, PUT'],
    ['DELETE', '/v1/templates/:id/content', 'GET, HEAD, OPTIONS, PUT'],
    ['GET', '/v1/templates/:id/generate', 'OPTIONS, POST'],
    ['HEAD', '/v1/templates/:id/generate', 'OPTIONS, POST'],
    ['PUT', '/v1/templates/:id/generate', 'OPTIONS, POST'],
    ['POST', '/v1/account/quotas', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1/deliveries/:id', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
  ])('%s %s is answered with the methods that exist', async (method, path, allow) => {
    const answer = await client.call(method, path.replace(':id', template));
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow]);
    expect(answer.headers.get('Error-Code')).toBe('method_not_allowed');
    if (method !== 'HEAD') expectProblem(answer, 405, new RegExp(`^${method} is not possible here`));
  });

  test('OPTIONS names the methods of a path', async () => {
    const answer = await client.call('OPTIONS', `/v1/templates/${template}`);
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expect(answer.headers.get('Allow')).toBe('DELETE, GET, HEAD, OPTIONS, PUT');
    expectProblem(await client.call('OPTIONS', '/v1/nothing'), 404);
  });

  test('a slash at the end is not found, with a hint', async () => {
    expectProblem(await client.call('GET', '/v1/templates/'), 404, /Leave out the slash at the end/);
    expectProblem(await client.call('GET', '/v1/nothing/'), 404, /\/v1\/nothing\/$/);
  });

  test('without a key a known path, a wrong method and an unknown path get the same answer', async () => {
    const seen = new Set<string>();
    for (const [method, path] of [
      ['GET', '/v1/templates'],
      ['PATCH', '/v1/templates'],
      ['OPTIONS', '/v1/templates'],
      ['GET', '/v1/templates/'],
      ['GET', '/v1/nothing'],
    ] as const) {
      const { status, headers, bytes } = await anonymous.call(method, path);
      seen.add(JSON.stringify([status, headers.get('Allow'), headers.get('WWW-Authenticate'), bytes.toString()]));
    }
    expect([...seen]).toEqual([expect.stringMatching(/^\[401,null,"Bearer"/)]);
  });

  test('HEAD is answered like GET, without a body', async () => {
    const head = await client.call('HEAD', `/v1/templates/${template}/content`);
    const get = await client.call('GET', `/v1/templates/${template}/content`);
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect(head.headers.get('ETag')).toBe(get.headers.get('ETag'));
    expect((await client.call('HEAD', '/v1/nothing')).status).toBe(404);
  });
});
