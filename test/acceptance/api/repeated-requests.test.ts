import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { ended } from '../batches/batch-client.ts';
import { formOf } from './form-bodies.ts';
import { png } from './pictures.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const file = letter('Dear {name}');
let client: TestClient;
let template: string;
beforeEach(async () => {
  client = await newClient();
  template = `/v1/templates/${(await client.template('a.docx', file)).id}`;
});

const keyed = (key = randomUUID()) => ({ 'Idempotency-Key': key });
type Headers = ReturnType<typeof keyed>;
const hook = { url: 'https://example.com/hook', events: ['document.failed'] };
const newWebhook = async () =>
  `/v1/webhooks/${(await client.call('POST', '/v1/webhooks', { json: hook })).json<{ id: string }>().id}`;
const post = (path: string, headers: Headers, json?: unknown) =>
  client.call('POST', path, { headers, ...(json !== undefined && { json }) });
const seen = ({ status, headers, bytes }: Answer) => ({
  status,
  body: bytes.toString('base64'),
  ...Object.fromEntries(['ETag', 'Location', 'Document-Id'].map((name) => [name, headers.get(name)])),
});

describe('a repeated request gets the first answer after the thing was deleted', () => {
  const created: readonly (readonly [string, (headers: Headers) => Promise<Answer>])[] = [
    ['a template', (headers) => client.upload('b.docx', file, headers)],
    [
      'an asset',
      (headers) =>
        client.call('POST', '/v1/assets', {
          headers,
          body: formOf([
            ['name', 'logo.png'],
            ['file', png(2, 2, [1, 1, 1]), 'logo.png'],
          ]),
        }),
    ],
    ['a webhook', (headers) => post('/v1/webhooks', headers, hook)],
  ];
  test.each(created)('%s', async (_name, create) => {
    const headers = keyed();
    const first = await create(headers);
    expect(first.status).toBe(201);
    const location = first.headers.get('Location') ?? '';
    expect((await client.call('DELETE', location)).status).toBe(204);
    expect(seen(await create(headers))).toEqual(seen(first));
    expectProblem(await client.call('GET', location), 404);
    const fresh = await create(keyed());
    expect(fresh.headers.get('Location')).not.toBe(location);
  });

  test('a document and a batch of a deleted template', async () => {
    const [document, batch, later] = [keyed(), keyed(), keyed()];
    const prefer = { Prefer: 'respond-async' };
    const json = { items: [{ data: { name: 'Ada' } }], bundle: 'none' };
    const request = { data: { name: 'Ada' } };
    const first = await post(`${template}/generate`, document, request);
    const accepted = await post(`${template}/batches`, batch, json);
    const job = await post(`${template}/generate`, { ...later, ...prefer }, request);
    expect([first.status, accepted.status, job.status]).toEqual([200, 202, 202]);
    await ended(client, accepted.json<{ id: string }>().id);
    const before = (await client.quotas()).remaining.total.docs;
    expect((await client.call('DELETE', template)).status).toBe(204);
    expect(seen(await post(`${template}/generate`, document, request))).toEqual(seen(first));
    const again = await post(`${template}/batches`, batch, json);
    expect([again.status, again.headers.get('Location')]).toEqual([202, accepted.headers.get('Location')]);
    const jobAgain = await post(`${template}/generate`, { ...later, ...prefer }, request);
    expect([jobAgain.status, jobAgain.headers.get('Location')]).toEqual([202, job.headers.get('Location')]);
    expectProblem(await post(`${template}/batches`, batch, { ...json, bundle: 'zip' }), 404);
    expectProblem(await post(`${template}/batches`, keyed(), json), 404);
    expect((await client.quotas()).remaining.total.docs).toBe(before);
  });

  test('what was done to a deleted webhook', async () => {
    const webhook = await newWebhook();
    const [rotation, trial] = [keyed(), keyed()];
    const rotated = await post(`${webhook}/rotate-secret`, rotation);
    const tested = await post(`${webhook}/test`, trial);
    expect(rotated.status).toBe(200);
    const { id } = tested.json<{ id: string }>();
    expect((await client.call('DELETE', webhook)).status).toBe(204);
    expect(seen(await post(`${webhook}/rotate-secret`, rotation))).toEqual(seen(rotated));
    const again = await post(`${webhook}/test`, trial);
    expect([again.status < 300, again.json<{ id: string }>().id]).toEqual([true, id]);
    expectProblem(await post(`${webhook}/rotate-secret`, keyed()), 404);
    expectProblem(await post(`${webhook}/test`, keyed()), 404);
  });
});

describe('a repeated request does nothing a second time', () => {
  test('a promotion that another one followed', async () => {
    await client.call('PUT', `${template}/content`, { body: uploadForm('a.docx', letter('{x}')) });
    const headers = { ...keyed(), 'If-Match': (await client.call('GET', template)).headers.get('ETag') ?? '' };
    const first = await post(`${template}/versions/1/promote`, headers);
    expect(first.status).toBe(200);
    expect((await post(`${template}/versions/2/promote`, keyed())).status).toBe(200);
    expect(seen(await post(`${template}/versions/1/promote`, headers))).toEqual(seen(first));
    expect((await client.call('GET', template)).json()).toMatchObject({ version: 2 });
    expectProblem(await post(`${template}/versions/2/promote`, headers), 409, /Idempotency-Key/);
    expect((await client.call('DELETE', template)).status).toBe(204);
    expect(seen(await post(`${template}/versions/1/promote`, headers))).toEqual(seen(first));
  });

  test('a rotation that another one followed: each shows its own secret', async () => {
    const webhook = await newWebhook();
    const [one, two] = [keyed(), keyed()];
    const first = await post(`${webhook}/rotate-secret`, one);
    const second = await post(`${webhook}/rotate-secret`, two);
    expect(seen(await post(`${webhook}/rotate-secret`, one))).toEqual(seen(first));
    expect(seen(await post(`${webhook}/rotate-secret`, two))).toEqual(seen(second));
    expect(first.bytes.equals(second.bytes)).toBe(false);
  });

  test('ten creations of a webhook at once', async () => {
    const headers = keyed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/v1/webhooks', headers, hook)));
    expect(new Set(answers.map((answer) => JSON.stringify(seen(answer)))).size).toBe(1);
    expect((await client.call('GET', '/v1/webhooks')).json<unknown[]>()).toHaveLength(1);
  });
});

describe('the same key with another request is a conflict, also where nothing is created', () => {
  test('a validation', async () => {
    const headers = keyed();
    const validate = (text: string, query = '') =>
      client.call('POST', `/v1/templates/validate${query}`, { headers, body: uploadForm('a.docx', letter(text)) });
    for (let i = 0; i < 2; i++) expect((await validate('{x}')).status).toBe(200);
    expectProblem(await validate('{y}'), 409, /Idempotency-Key/);
    expectProblem(await validate('{x}', '?locale=de'), 409, /Idempotency-Key/);
    expectProblem(await client.upload('a.docx', letter('{x}'), headers), 409, /Idempotency-Key/);
  });

  test('a dry run', async () => {
    const headers = keyed();
    const run = (name: string, query = '?dryRun=true') =>
      post(`${template}/batches${query}`, headers, { items: [{ data: { name } }] });
    for (let i = 0; i < 2; i++) expect((await run('Ada')).status).toBe(200);
    expectProblem(await run('Bob'), 409, /Idempotency-Key/);
    expectProblem(await run('Ada', ''), 409, /Idempotency-Key/);
  });

  test('a refused validation leaves the key free', async () => {
    const headers = keyed();
    const validate = (text: string) =>
      client.call('POST', '/v1/templates/validate', { headers, body: uploadForm('a.docx', letter(text)) });
    expectProblem(await validate('no tags'), 400);
    expect((await validate('{x}')).status).toBe(200);
  });
});
