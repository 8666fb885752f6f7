import { expect, inject, test } from 'vitest';
import { type Answer, type ApiClient, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { expireNow } from '../../support/services/expire-now.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { png } from './pictures.ts';
import { address, letter } from './samples.ts';

const stack = inject('stack');
const { newClient, clientOf, anonymous, operator } = await useService(stack);

test('a missing, unknown, revoked and expired key get the same response; other keys of the account still work', async () => {
  const client = await newClient();
  const [revoked, expired] = await Promise.all([
    operator.createKey(client.accountId, '2100-01-01'),
    operator.createKey(client.accountId, '2100-01-01'),
  ]);
  const list = (apiKey: string) =>
    anonymous.call('GET', '/v1/templates', apiKey === '' ? {} : { headers: { Authorization: `Bearer ${apiKey}` } });
  for (const { apiKey } of [revoked, expired]) expect((await list(apiKey)).status).toBe(200);
  await operator.run('revoke-key', { key: revoked.keyId });
  await expireNow(stack, 'key', expired.keyId);
  // The API caches keys for some seconds.
  for (const { apiKey } of [revoked, expired]) await expect.poll(async () => (await list(apiKey)).status).toBe(401);
  const changed = `${client.apiKey.slice(0, -1)}${client.apiKey.endsWith('0') ? '1' : '0'}`;
  for (const apiKey of ['', changed, client.apiKey.toUpperCase(), revoked.apiKey, expired.apiKey]) {
    const answer = await list(apiKey);
    expect(answer.json()).toStrictEqual({ error: { status: 401, message: 'Missing or invalid API key' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  }
  expect((await clientOf(client.apiKey).call('GET', '/v1/templates')).status).toBe(200);
});

test('the events of a batch end when the key that follows them is revoked, and reconnecting is refused', async () => {
  const client = await newClient();
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name}'));
  const { apiKey, keyId } = await operator.createKey(client.accountId, '2100-01-01');
  await whilePaused(stack, operator, client.accountId, async () => {
    const batch = await client.call('POST', `/v1/templates/${templateId}/batches`, { json: { items: [{ data: {} }] } });
    const follow = () =>
      fetch(`${stack.url}/v1/batches/${batch.json<{ id: string }>().id}/events`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      });
    const events = await follow();
    expect(events.status).toBe(200);
    await operator.run('revoke-key', { key: keyId });
    await expect(events.text()).rejects.toThrow();
    expect((await follow()).status).toBe(401);
  });
});

/** Ids by the path segment before them. */
type Ids = Readonly<Record<string, string>>;
const prefixes = {
  templates: 'tpl',
  jobs: 'doc',
  deliveries: 'dlv',
  webhooks: 'whk',
  batches: 'bat',
  assets: 'ast',
  fonts: 'fnt',
};
const unknownIds: Ids = Object.fromEntries(
  Object.entries(prefixes).map(([kind, prefix]) => [kind, `${prefix}_${'0'.repeat(26)}`]),
);
const kindOf = (path: string): string => path.split('/')[2] ?? '';

const { paths } = (await anonymous.call('GET', '/openapi.json')).json<{ paths: Record<string, object> }>();
/** Method and path of every operation of accounts with an id. */
const operations = Object.entries(paths)
  .filter(([path]) => path.includes('{') && !path.startsWith('/v1/admin/'))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path] as const));

/** A valid body, so that only the id is wrong. */
function bodyOf(method: string, path: string): object {
  if (path.endsWith('/override')) return { json: { reason: 'stolen' } };
  if (/\/(submit|comment|approve|refuse)$/.test(path)) return { json: { comment: 'stolen' } };
  if (method === 'PUT' && path.endsWith('/content')) return { body: uploadForm('stolen.docx', letter('{x}')) };
  if (method === 'PUT') return { json: { name: 'stolen.docx' } };
  if (method === 'PATCH') return { json: { description: 'stolen' } };
  if (/\/(generate|\{id\}\/jobs)$/.test(path)) return { json: { data: {} } };
  return /\/batches(\/quote)?$/.test(path) ? { json: { items: [{ data: {} }] } } : {};
}

function ask(client: ApiClient, [method, path]: (typeof operations)[number], id: string): Promise<Answer> {
  const target = path
    .replace('{id}', id)
    .replace('{version}', '1')
    .replace('{deliveryId}', `whd_${'0'.repeat(26)}`);
  return client.call(method, target, bodyOf(method, path));
}

/** Creates one resource of every kind, among them a document with a sent e-mail and a cancelled batch. */
async function belongingsOf(client: TestClient): Promise<Ids> {
  const create = async (path: string, request: object): Promise<string> => {
    const answer = await client.call('POST', path, request);
    expect(answer.status, `POST ${path}`).toBeLessThan(300);
    return answer.json<{ id: string }>().id;
  };
  const { id: templates } = await client.template('mine.docx', letter('Dear {name}'));
  const { headers } = await client.generate(templates, { data: {}, output: { email: { to: [address()] } } });
  const [jobs, deliveries] = [headers.get('Document-Id') ?? '', headers.get('Email-Delivery-Id') ?? ''];
  const delivery = async () => (await client.call('GET', `/v1/deliveries/${deliveries}`)).json<{ status: string }>();
  await expect.poll(async () => (await delivery()).status).toBe('sent');
  const rows = { items: [{ data: {} }], bundle: 'none' };
  const batches = await create(`/v1/templates/${templates}/batches`, { json: rows });
  expect((await client.call('DELETE', `/v1/batches/${batches}`)).status).toBe(200);
  const webhook = { url: 'https://hooks.example.com/mine', events: ['batch.completed'] };
  return {
    templates,
    jobs,
    deliveries,
    batches,
    webhooks: await create('/v1/webhooks', { json: webhook }),
    assets: await create('/v1/assets', { body: uploadForm('logo.png', png(4, 4, [200, 30, 30])) }),
    fonts: await create('/v1/fonts', { body: uploadForm('boxes.ttf', buildFont({ family: 'Own Boxes' })) }),
  };
}

async function snapshot(client: TestClient, ids: Ids): Promise<unknown[]> {
  const resources = Object.entries(ids).map(([kind, id]) => `${kind}/${id}`);
  const answers = await Promise.all(
    [...resources, `templates/${ids.templates}/versions`].map((path) => client.call('GET', `/v1/${path}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers.map((answer) => answer.json());
}

test('every operation treats ids of another account like unknown ones, and nothing changes', async () => {
  const [owner, other] = [await newClient(), await newClient()];
  const ids = await belongingsOf(owner);
  const before = await snapshot(owner, ids);
  const scopes = 'templates:approve,templates:override';
  const named = await operator.run<{ apiKey: string }>('create-key', { account: other.accountId, scopes });
  const approver = clientOf(named.apiKey);
  expect(operations.length).toBeGreaterThanOrEqual(14);
  for (const operation of operations) {
    const kind = kindOf(operation[1]);
    // Only keys that name these scopes have them.
    const by = /\/(approve|refuse|override)$/.test(operation[1]) ? approver : other;
    expect(Object.keys(prefixes), 'kinds of ids that this test tries').toContain(kind);
    const [foreign, unknown] = [
      await ask(by, operation, ids[kind] ?? ''),
      await ask(by, operation, unknownIds[kind] ?? ''),
    ];
    expect([foreign.status, foreign.bytes], operation.join(' ')).toEqual([404, unknown.bytes]);
  }
  // The list of fonts also has the installed ones.
  const lists = Object.keys(prefixes).filter((kind) => kind !== 'fonts');
  for (const list of [...lists, 'fonts?name=Own%20Boxes', `jobs?templateId=${ids.templates}`])
    expect((await other.call('GET', `/v1/${list}`)).json(), list).toEqual([]);
  expect(await snapshot(owner, ids)).toEqual(before);
  expect((await other.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 50 });
});
