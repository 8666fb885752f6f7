import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { ended } from '../batches/batch-client.ts';
import { png } from './pictures.ts';
import { address, letter } from './samples.ts';

const { newClient, mailbox } = await useService(inject('stack'));
const file = letter('Dear {name}');
const withKey = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
const sameHeaders = ['Content-Type', 'Content-Disposition', 'Document-Id', 'Email-Delivery-Id', 'ETag', 'Location'];
const seenOf = ({ status, headers, bytes }: Answer) => ({
  status,
  headers: sameHeaders.map((name) => headers.get(name)),
  body: bytes.toString('base64'),
});

let client: TestClient;
let id: string;
let template: string;
beforeEach(async () => {
  client = await newClient();
  id = (await client.template('a.docx', file)).id;
  template = `/v1/templates/${id}`;
});
const docsLeft = async (of: TestClient = client) => (await of.quotas()).remaining.total.docs;

describe('generate', () => {
  test.each(['docx', 'pdf'])(
    '20 concurrent requests with one key produce one %s, one charge and one e-mail',
    async (format) => {
      const before = await docsLeft();
      const to = address();
      const headers = withKey();
      const request = { data: { name: 'Ada' }, output: { format, email: { to: [to] } } };
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.generate(id, request, headers)));
      expect(answers[0]?.status).toBe(200);
      expect(new Set(answers.map((answer) => JSON.stringify(seenOf(answer)))).size).toBe(1);
      expect(await docsLeft()).toBe(before - 1);
      const delivery = answers[0]?.headers.get('Email-Delivery-Id');
      const status = async () =>
        (await client.call('GET', `/v1/deliveries/${delivery}`)).json<{ status: string }>().status;
      await expect.poll(status).toBe('sent');
      expect(await mailbox.to(to)).toHaveLength(1);
    },
  );

  test('a later repeat gets the same file, even after a new version and a rename', async () => {
    const own = await client.template('before.docx', file);
    const headers = withKey();
    const first = await client.generate(own.id, { data: { name: 'Ada' } }, headers);
    const before = await docsLeft();
    await client.reupload(own.id, 'after.docx', letter('Farewell {name}'));
    const again = await client.generate(own.id, { data: { name: 'Ada' } }, headers);
    expect(seenOf(again)).toEqual(seenOf(first));
    expect(docxText(again.bytes)).toBe('Dear Ada');
    expect(await docsLeft()).toBe(before);
  });

  test('a document that failed fails the same way again, and is not charged', async () => {
    const [headers, before] = [withKey(), await docsLeft()];
    const send = () => client.generate(id, { data: { name: { first: 'Ada' } } }, headers);
    const first = expectProblem(await send(), 400);
    expect(expectProblem(await send(), 400)).toEqual(first);
    expect(await docsLeft()).toBe(before);
  });

  test('the same key with other data is a conflict, and nothing is charged', async () => {
    const headers = withKey();
    expect((await client.generate(id, { data: { name: 'Ada' } }, headers)).status).toBe(200);
    const before = await docsLeft();
    const other = await client.template('b.docx', file);
    expectProblem(await client.generate(id, { data: { name: 'Bob' } }, headers), 409, /Idempotency-Key/);
    expectProblem(await client.generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } }, headers), 409);
    expectProblem(await client.generate(other.id, { data: { name: 'Ada' } }, headers), 409);
    expectProblem(await client.upload('c.docx', file, headers), 409);
    expectProblem(await client.generate(id, { data: {} }, withKey('a\tb')), 400, 'Invalid Idempotency-Key header');
    expect(await docsLeft()).toBe(before);
  });
});

describe('upload', () => {
  test('repeating the upload that used up the template quota returns the same template', async () => {
    const own = await newClient({ templates: 1 });
    const headers = withKey();
    const first = await own.upload('a.docx', file, headers);
    expect(first.status).toBe(201);
    expect(seenOf(await own.upload('a.docx', file, headers))).toEqual(seenOf(first));
    expectProblem(await own.upload('a.docx', file, withKey()), 402);
  });

  test.each(['/v1/templates', '/v1/templates/validate'])(
    'the key of a file that %s refused can be used again',
    async (path) => {
      const headers = withKey();
      const send = (text: string) => client.call('POST', path, { headers, body: uploadForm('a.docx', letter(text)) });
      expectProblem(await send('no tags'), 400);
      expect((await send('{x}')).status).toBeLessThan(300);
    },
  );
});

/** Nothing listens at the address, so that a test event fails at once, with a network and without. */
const hook = { url: 'http://127.0.0.1:1024/hook', events: ['document.failed'] };
const newWebhook = async () =>
  `/v1/webhooks/${(await client.call('POST', '/v1/webhooks', { json: hook })).json<{ id: string }>().id}`;
const post = (path: string, headers: Readonly<Record<string, string>>, json?: unknown) =>
  client.call('POST', path, { headers, ...(json !== undefined && { json }) });

describe('a repeated request gets the first response even after the resource was deleted', () => {
  const created: readonly (readonly [string, (headers: ReturnType<typeof withKey>) => Promise<Answer>])[] = [
    ['a template', (headers) => client.upload('b.docx', file, headers)],
    [
      'an asset',
      (headers) => client.call('POST', '/v1/assets', { headers, body: uploadForm('logo.png', png(2, 2, [1, 1, 1])) }),
    ],
    ['a webhook', (headers) => post('/v1/webhooks', headers, hook)],
  ];
  test.each(created)('%s', async (_name, create) => {
    const headers = withKey();
    const first = await create(headers);
    expect(first.status).toBe(201);
    const location = first.headers.get('Location') ?? '';
    expect((await client.call('DELETE', location)).status).toBe(204);
    expect(seenOf(await create(headers))).toEqual(seenOf(first));
    expectProblem(await client.call('GET', location), 404);
    const fresh = await create(withKey());
    expect(fresh.headers.get('Location')).not.toBe(location);
  });

  test('a document and a batch of a deleted template', async () => {
    const [document, batch, later] = [withKey(), withKey(), withKey()];
    const json = { items: [{ data: { name: 'Ada' } }], bundle: 'none' };
    const request = { data: { name: 'Ada' } };
    const first = await post(`${template}/generate`, document, request);
    const accepted = await post(`${template}/batches`, batch, json);
    const job = await post(`${template}/jobs`, later, request);
    expect([first.status, accepted.status, job.status]).toEqual([200, 202, 202]);
    await ended(client, accepted.json<{ id: string }>().id);
    const before = (await client.quotas()).remaining.total.docs;
    expect((await client.call('DELETE', template)).status).toBe(204);
    expect(seenOf(await post(`${template}/generate`, document, request))).toEqual(seenOf(first));
    const again = await post(`${template}/batches`, batch, json);
    expect([again.status, again.headers.get('Location')]).toEqual([202, accepted.headers.get('Location')]);
    const jobAgain = await post(`${template}/jobs`, later, request);
    expect([jobAgain.status, jobAgain.headers.get('Location')]).toEqual([202, job.headers.get('Location')]);
    expectProblem(await post(`${template}/batches`, batch, { ...json, bundle: 'zip' }), 404);
    expectProblem(await post(`${template}/batches`, withKey(), json), 404);
    expect((await client.quotas()).remaining.total.docs).toBe(before);
  });

  test('changes of a webhook that was deleted', async () => {
    const webhook = await newWebhook();
    const [rotation, trial] = [withKey(), withKey()];
    const rotated = await post(`${webhook}/rotate-secret`, rotation);
    const tested = await post(`${webhook}/test`, trial);
    expect(rotated.status).toBe(200);
    const { id } = tested.json<{ id: string }>();
    expect((await client.call('DELETE', webhook)).status).toBe(204);
    expect(seenOf(await post(`${webhook}/rotate-secret`, rotation))).toEqual(seenOf(rotated));
    const again = await post(`${webhook}/test`, trial);
    expect([again.status < 300, again.json<{ id: string }>().id]).toEqual([true, id]);
    expectProblem(await post(`${webhook}/rotate-secret`, withKey()), 404);
    expectProblem(await post(`${webhook}/test`, withKey()), 404);
  });
});

describe('a repeated request does nothing a second time', () => {
  test('a promotion that was followed by another one', async () => {
    await client.call('PUT', `${template}/content`, { body: uploadForm('a.docx', letter('{x}')) });
    const headers = { ...withKey(), 'If-Match': (await client.call('GET', template)).headers.get('ETag') ?? '' };
    const first = await post(`${template}/versions/1/promote`, headers);
    expect(first.status).toBe(200);
    expect((await post(`${template}/versions/2/promote`, withKey())).status).toBe(200);
    expect(seenOf(await post(`${template}/versions/1/promote`, headers))).toEqual(seenOf(first));
    expect((await client.call('GET', template)).json()).toMatchObject({ version: 2 });
    expectProblem(await post(`${template}/versions/2/promote`, headers), 409, /Idempotency-Key/);
    expect((await client.call('DELETE', template)).status).toBe(204);
    expect(seenOf(await post(`${template}/versions/1/promote`, headers))).toEqual(seenOf(first));
  });

  test('a rotation that was followed by another one: each shows its own secret', async () => {
    const webhook = await newWebhook();
    const [one, two] = [withKey(), withKey()];
    const first = await post(`${webhook}/rotate-secret`, one);
    const second = await post(`${webhook}/rotate-secret`, two);
    expect(seenOf(await post(`${webhook}/rotate-secret`, one))).toEqual(seenOf(first));
    expect(seenOf(await post(`${webhook}/rotate-secret`, two))).toEqual(seenOf(second));
    expect(first.bytes.equals(second.bytes)).toBe(false);
  });

  test('ten creations of a webhook at once', async () => {
    const headers = withKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/v1/webhooks', headers, hook)));
    expect(new Set(answers.map((answer) => JSON.stringify(seenOf(answer)))).size).toBe(1);
    expect((await client.call('GET', '/v1/webhooks')).json<unknown[]>()).toHaveLength(1);
  });
});

describe('the same key with another request is a conflict, even if nothing is created', () => {
  test('a validation', async () => {
    const headers = withKey();
    const validate = (text: string, query = '') =>
      client.call('POST', `/v1/templates/validate${query}`, { headers, body: uploadForm('a.docx', letter(text)) });
    for (let i = 0; i < 2; i++) expect((await validate('{x}')).status).toBe(200);
    expectProblem(await validate('{y}'), 409, /Idempotency-Key/);
    expectProblem(await validate('{x}', '?locale=de'), 409, /Idempotency-Key/);
    expectProblem(await client.upload('a.docx', letter('{x}'), headers), 409, /Idempotency-Key/);
  });

  test('a quote', async () => {
    const headers = withKey();
    const run = (name: string, operation = 'batches/quote') =>
      post(`${template}/${operation}`, headers, { items: [{ data: { name } }] });
    for (let i = 0; i < 2; i++) expect((await run('Ada')).status).toBe(200);
    expectProblem(await run('Bob'), 409, /Idempotency-Key/);
    expectProblem(await run('Ada', 'batches'), 409, /Idempotency-Key/);
  });
});
