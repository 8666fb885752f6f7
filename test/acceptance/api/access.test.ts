import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { address, letter } from './samples.ts';

const { newClient, clientOf, anonymous, operator } = await useService(inject('stack'));

const unknown = { template: 'tpl_00000000000000000000000000', delivery: 'dlv_00000000000000000000000000' };
type Ids = typeof unknown;
const form = () => uploadForm('a.docx', letter('{x}'));

/** Every operation on a template or a delivery. */
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

test('a missing, unknown, revoked and expired key get the same response; other keys of the account still work', async () => {
  const client = await newClient();
  const [revoked, expired] = await Promise.all([
    operator.createKey(client.accountId, '2100-01-01'),
    operator.createKey(client.accountId, new Date(Date.now() + 3_000).toISOString()),
  ]);
  const list = (apiKey: string) =>
    anonymous.call('GET', '/v1/templates', apiKey === '' ? {} : { headers: { Authorization: `Bearer ${apiKey}` } });
  expect((await list(revoked.apiKey)).status).toBe(200);
  await operator.run('revoke-key', { key: revoked.keyId });
  // Within the time of the cache.
  for (const { apiKey } of [revoked, expired])
    await expect.poll(async () => (await list(apiKey)).status, { timeout: 20_000 }).toBe(401);
  const changed = `${client.apiKey.slice(0, -1)}${client.apiKey.endsWith('0') ? '1' : '0'}`;
  for (const apiKey of ['', changed, client.apiKey.toUpperCase(), revoked.apiKey, expired.apiKey]) {
    const answer = await list(apiKey);
    expect(answer.json()).toStrictEqual({ error: { status: 401, message: 'Missing or invalid API key' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  }
  expect((await clientOf(client.apiKey).call('GET', '/v1/templates')).status).toBe(200);
});

describe('resources of another account', () => {
  let owner: TestClient;
  let other: TestClient;
  let ids: Ids;
  beforeAll(async () => {
    [owner, other] = await Promise.all([newClient(), newClient()]);
    const { id: template } = await owner.template('mine.docx', letter('Dear {name}'));
    const answer = await owner.generate(template, { data: {}, output: { email: { to: [address()] } } });
    ids = { template, delivery: answer.headers.get('Email-Delivery-Id') ?? '' };
  });

  test.each(operations)(
    '%s: is answered like an unknown id, and changes nothing',
    async (_name, method, path, options) => {
      const before = (await owner.call('GET', `/v1/templates/${ids.template}`)).json();
      const foreign = await other.call(method, path(ids), options?.());
      const missing = await other.call(method, path(unknown), options?.());
      expectProblem(foreign, 404);
      expect(foreign.json()).toStrictEqual(missing.json());
      expect((await owner.call('GET', `/v1/templates/${ids.template}`)).json()).toStrictEqual(before);
      expect((await other.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 50 });
      expect((await other.call('GET', '/v1/templates')).json()).toEqual([]);
    },
  );

  test('malformed ids are not found', async () => {
    for (const [, method, path, options] of operations)
      for (const id of ['%00', "';--"])
        expectProblem(await other.call(method, path({ template: id, delivery: id }), options?.()), 404);
  });
});
