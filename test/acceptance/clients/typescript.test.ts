import { createHash } from 'node:crypto';
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as sendTo } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  Docmill,
  type DocmillOptions,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  TemplateError,
  verifyWebhook,
  WebhookVerificationError,
} from '@docmill/client';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const folder = mkdtempSync(join(tmpdir(), 'docmill-typescript-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const letter = new Uint8Array(buildDocx({ body: paragraph('Dear {name}') }));
const names = ['Ada', 'Grace', 'Joan'];
let account: TestClient;
let docmill: Docmill;
let templateId: string;

const connect = (apiKey: string, options: Partial<DocmillOptions> = {}) =>
  new Docmill({ baseUrl: url, apiKey, retryDelayMs: 20, ...options });
const charged = async () => 1_000 - (await docmill.account.quotas()).remaining.total.docs;
const startOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString('latin1');

beforeAll(async () => {
  account = await newClient();
  docmill = connect(account.apiKey);
  templateId = (await docmill.templates.upload('letter.docx', letter)).id;
});

test('a template from upload to deletion', async () => {
  const { templates } = docmill;
  expect((await templates.validate(letter, { sampleData: { name: 'Ada' } })).valid).toBe(true);
  const { id } = await templates.upload('draft.docx', new Blob([letter]));
  expect((await templates.schema(id)).schema).toMatchObject({ properties: { name: { type: 'string' } } });
  expect((await templates.rename(id, 'final.docx')).name).toBe('final.docx');
  expect(
    (await templates.replace(id, 'final.docx', new Uint8Array(buildDocx({ body: paragraph('{a}') })))).version,
  ).toBe(2);
  expect((await templates.promote(id, 1)).version).toBe(1);
  expect(Buffer.from(await templates.downloadVersion(id, 1))).toEqual(Buffer.from(letter));
  expect((await templates.versions(id, { limit: 1 }).all()).map(({ version }) => version)).toEqual([2, 1]);
  expect(await templates.find('final.docx')).toMatchObject({ id, name: 'final.docx' });
  await expect(templates.find('final')).rejects.toThrow(NotFoundError);
  const other = await templates.upload('final.docx', letter);
  await expect(templates.find('final.docx')).rejects.toThrow(ConflictError);
  for (const one of [id, other.id]) await templates.delete(one);
  await expect(templates.get(id)).rejects.toThrow(NotFoundError);
});

test('a document as bytes, as a stream and as a job', async () => {
  const before = await charged();
  const pdf = await docmill.templates.generate(templateId, { name: 'Ada' }, { format: 'pdf', filename: 'ada.pdf' });
  expect(pdf).toMatchObject({ contentType: 'application/pdf', filename: 'ada.pdf', warningCount: 0 });
  expect(pdf.timings.total).toBeGreaterThan(0);
  expect(await pdf.warnings()).toEqual([]);
  expect(startOf(await pdf.bytes())).toBe('%PDF-');
  const docx = await docmill.templates.generate(templateId, { name: 'Ada' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of docx.stream) chunks.push(chunk);
  expect(startOf(Buffer.concat(chunks))).toMatch(/^PK/);

  const started = await docmill.templates.start(templateId, { name: 'Ada' }, { format: 'pdf' });
  const job = await docmill.jobs.wait(started.id, { signal: AbortSignal.timeout(100_000) });
  expect(job).toMatchObject({ id: started.id, status: 'succeeded', format: 'pdf' });
  const bytes = await docmill.jobs.download(job.id);
  const { receipt } = await docmill.jobs.receipt(job.id);
  expect(receipt).toMatchObject({ result: { sha256: createHash('sha256').update(bytes).digest('hex') } });
  expect(await charged()).toBe(before + 3);
});

test('a preview is free', async () => {
  const before = await charged();
  const preview = await docmill.templates.preview({ templateId, data: { name: 'Ada' } });
  expect(startOf(preview.bytes)).toBe('%PDF-');
  expect(preview.pageCount).toBe(1);
  expect(await charged()).toBe(before);
});

describe('a batch', () => {
  const csv = join(folder, 'people.csv');
  async function* people() {
    for (const name of names) yield { name };
  }
  const inputs = {
    'an array': () => names.map((name) => ({ data: { name }, output: { filename: `${name}.docx` } })),
    'an async iterable': people,
    'a function of an iterable': () => () => names.map((name) => ({ name })).values(),
    'a CSV file': async () => {
      writeFileSync(csv, `name\n${names.join('\n')}\n`);
      return { csv: await openAsBlob(csv) };
    },
    'a stream of lines': () => ({ ndjson: new Blob(names.map((name) => `${JSON.stringify({ name })}\n`)).stream() }),
  };

  test.each(Object.entries(inputs))('of %s makes a document for each row and reports its progress', async (_, open) => {
    const before = await charged();
    const batch = await docmill.batches.create(templateId, await open());
    const seen: number[] = [];
    const signal = AbortSignal.timeout(100_000);
    const end = await batch.wait({ signal, onProgress: ({ counts }) => seen.push(counts.succeeded) });
    expect(end).toMatchObject({ status: 'completed', counts: { succeeded: names.length, failed: 0 } });
    expect(seen.at(-1)).toBe(names.length);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const rows = await docmill.batches.items(batch.id, { limit: 2 }).all();
    expect(rows.map(({ row, status }) => ({ row, status }))).toEqual(
      names.map((_, at) => ({ row: at + 1, status: 'succeeded' })),
    );
    expect(startOf(await docmill.batches.download(batch.id))).toMatch(/^PK/);
    expect(await charged()).toBe(before + names.length);
  });

  test('is quoted without a charge, and a mistake of the source is the error', async () => {
    const before = await charged();
    expect(await docmill.batches.quote(templateId, people())).toMatchObject({ rows: 3, cost: 3, fits: true });
    const broken = async function* () {
      yield { name: 'Ada' };
      throw new RangeError('no more people');
    };
    await expect(docmill.batches.create(templateId, broken())).rejects.toThrow(RangeError);
    expect(await charged()).toBe(before);
  });
});

test('a list is read over all its pages, and no further than needed', async () => {
  const fetched: string[] = [];
  const counting = connect(account.apiKey, {
    fetch: (input, init) => {
      fetched.push(String(input));
      return fetch(input, init);
    },
  });
  for (let made = 0; made < 5; made += 1) await docmill.templates.start(templateId, { name: `${made}` });
  const all = await counting.jobs.list({ templateId, limit: 2 }).all();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(fetched).toHaveLength(Math.ceil(all.length / 2));
  fetched.length = 0;
  for await (const { id } of counting.jobs.list({ limit: 2 })) if (id === all[1]?.id) break;
  expect(fetched).toHaveLength(1);
});

test('a delivered webhook is verified, a changed one is not', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const webhook = await docmill.webhooks.create({ url: `${receiver.url}/hook`, events: ['document.succeeded'] });
  const { id } = await docmill.templates.generate(templateId, { name: 'Ada' });
  await expect.poll(() => receiver.received.length).toBe(1);
  const [received] = receiver.received;
  const { headers = {}, body = '' } = received ?? {};
  const secret = webhook.secret ?? '';
  expect(await verifyWebhook({ headers, body, secret })).toMatchObject({ type: 'document.succeeded', data: { id } });
  await expect(verifyWebhook({ headers, body: `${body} `, secret })).rejects.toThrow(WebhookVerificationError);
  await expect.poll(async () => (await docmill.webhooks.deliveries(webhook.id).all())[0]?.status).toBe('delivered');
  await docmill.webhooks.delete(webhook.id);
});

describe('errors have a class for each reason', () => {
  const caught = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

  test('400: invalid fields and mistakes with their place', async () => {
    const invalid = await caught(docmill.templates.generate(templateId, {}, { locale: 'not a language' }));
    expect(invalid).toBeInstanceOf(InvalidRequestError);
    expect(invalid).toMatchObject({ status: 400, code: 'invalid_request', details: [{ path: 'output.locale' }] });
    const missing = await caught(docmill.templates.generate(templateId, {}, { onMissing: 'error' }));
    expect(missing).toBeInstanceOf(TemplateError);
    expect(missing).toMatchObject({
      code: 'data_invalid',
      details: [{ path: 'data.name' }],
      documentId: expect.any(String),
    });
    const broken = await caught(
      docmill.templates.upload('a.docx', new Uint8Array(buildDocx({ body: paragraph('{#open}') }))),
    );
    expect(broken).toMatchObject({
      name: 'TemplateError',
      tag: '{#open}',
      part: 'body',
      requestId: expect.any(String),
    });
  });

  test('400: a body beyond the limit', async () => {
    const error = await caught(docmill.templates.upload('large.docx', new Uint8Array(11 * 1024 * 1024)));
    expect(error).toMatchObject({ name: 'InvalidRequestError', status: 400 });
  });

  test('401, 402, 403, 404 and 409', async () => {
    const unknown = connect('dts_unknown');
    expect(await caught(unknown.account.quotas())).toBeInstanceOf(AuthenticationError);
    const poor = await newClient({ docs: 0, templates: 5 });
    const own = await connect(poor.apiKey).templates.upload('letter.docx', letter);
    expect(await caught(connect(poor.apiKey).templates.generate(own.id, { name: 'Ada' }))).toBeInstanceOf(QuotaError);
    const reader = await operator.run<{ apiKey: string }>('create-key', {
      account: account.accountId,
      scopes: 'account:read',
    });
    expect(await caught(connect(reader.apiKey).templates.list().all())).toBeInstanceOf(PermissionError);
    // The template of another account does not exist.
    expect(await caught(docmill.templates.generate(own.id, {}))).toBeInstanceOf(NotFoundError);
    const job = await docmill.templates.start(templateId, { name: 'Ada' });
    await docmill.jobs.wait(job.id);
    expect(await caught(docmill.jobs.cancel(job.id))).toBeInstanceOf(ConflictError);
    const call = { idempotencyKey: 'order-1' };
    await docmill.templates.start(templateId, { name: 'Ada' }, call);
    expect(await caught(docmill.templates.start(templateId, { name: 'Bob' }, call))).toBeInstanceOf(ConflictError);
  });

  test('429: with the time to wait', async () => {
    // Pipelined, so that even a busy machine spends the limit within its window.
    const spendLimit = async (apiKey: string) => {
      const connection = await connectRaw(url);
      const line = `GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
      await connection.send(line.repeat(1_000));
      for (let read = 0; read < 1_000; read += 1) await connection.answer();
      connection.close();
    };
    let error: unknown;
    while (error === undefined) {
      const { apiKey } = await newClient();
      await spendLimit(apiKey);
      error = await caught(connect(apiKey, { maxRetries: 0 }).account.quotas());
    }
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfterMs: expect.any(Number) });
  });
});

describe('between the client and the service', () => {
  /** Passes requests on; cuts the first answers to a document where `cut` says. */
  async function startCutter(
    cut: 'before' | 'within',
  ): Promise<{ readonly baseUrl: string; readonly keys: readonly unknown[] }> {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      const cuts = request.url?.endsWith('/generate') === true && keys.push(request.headers['idempotency-key']) <= 2;
      const forwarded = sendTo(new URL(request.url ?? '/', url), { method: request.method, headers: request.headers });
      forwarded.on('response', (answer) => {
        if (cuts && cut === 'before') return request.socket.destroy(answer.destroy() && undefined);
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        if (!cuts) return answer.pipe(response);
        answer.resume().on('end', () => response.write('PK', () => request.socket.destroy()));
        return undefined;
      });
      forwarded.on('error', () => response.destroy());
      request.pipe(forwarded);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
  }

  test.each(['before', 'within'] as const)(
    'an answer that is lost %s its body is asked for again and charged once',
    async (cut) => {
      const before = await charged();
      const { baseUrl, keys } = await startCutter(cut);
      const document = await connect(account.apiKey, { baseUrl }).templates.generate(templateId, { name: 'Ada' });
      const bytes = Buffer.from(await document.bytes());
      expect(bytes).toEqual(Buffer.from(await docmill.jobs.download(document.id)));
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
      expect(await charged()).toBe(before + 1);
    },
  );

  test('an error names the key that gets the result without a second charge', async () => {
    const before = await charged();
    const { baseUrl } = await startCutter('before');
    const once = connect(account.apiKey, { baseUrl, maxRetries: 0 });
    const error = await once.templates.generate(templateId, { name: 'Ada' }).catch((reason: unknown) => reason);
    if (!(error instanceof ConnectionError)) throw error;
    const { idempotencyKey } = error;
    const document = await docmill.templates.generate(templateId, { name: 'Ada' }, { idempotencyKey });
    expect(startOf(await document.bytes())).toMatch(/^PK/);
    expect(await charged()).toBe(before + 1);
  });
});
