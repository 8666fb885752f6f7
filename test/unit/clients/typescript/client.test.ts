import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  ConnectionError,
  Docmill,
  DocmillAdmin,
  RateLimitError,
  TemplateError,
  verifyWebhook,
  WebhookVerificationError,
} from '@docmill/client';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { adminOperations, operations } from '../../../../src/api/app.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, attempt: number) => unknown;

let answer: Answer;
const reply =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const refusal = '{"error":{"message":"no"}}';
let received: Received[] = [];
let docmill: Docmill;
let url: string;
const server = createServer(async (request, response) => {
  const attempt = received.length;
  const { method = '', url = '', headers } = request;
  const entry = { method, url, key: headers['idempotency-key'] as string, body: '' };
  received.push(entry);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return;
  }
  const bytes = Buffer.concat(chunks);
  entry.body = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
  answer(request, response, attempt);
});

beforeEach(async () => {
  received = [];
  answer = reply(200, '[]');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
  docmill = new Docmill({ apiKey: 'key_1', baseUrl: url, retryDelayMs: 1 });
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The arguments of functions that take more than an id. */
const inputs: Readonly<Record<string, readonly unknown[]>> = {
  'templates.generate': ['tpl_i', {}],
  'templates.start': ['tpl_i', {}],
  'templates.upload': ['a.docx', new Uint8Array(1)],
  'templates.put': ['a.docx', new Uint8Array(1)],
  'templates.replace': ['i', 'a.docx', new Uint8Array(1)],
  'templates.validate': [new Uint8Array(1)],
  'templates.downloadVersion': ['i', 1],
  'templates.promote': ['i', 1],
  'templates.review': ['i', 1],
  'templates.submit': ['i', 1],
  'templates.comment': ['i', 1, 'a'],
  'templates.approve': ['i', 1],
  'templates.refuse': ['i', 1, 'a'],
  'templates.override': ['i', 1, 'a'],
  'templates.statistics': [['i']],
  'templates.preview': [{ templateId: 'tpl_i', data: {} }],
  'batches.create': ['tpl_i', []],
  'batches.quote': ['tpl_i', []],
  'webhooks.create': [{ url: 'https://a', events: [] }],
  'webhooks.update': ['i', {}],
  'webhooks.delivery': ['i', 'd'],
  'webhooks.redeliver': ['i', 'd'],
  'assets.upload': ['a.png', new Uint8Array(1)],
  'fonts.upload': [new Uint8Array(1)],
  'invoices.validate': [new Uint8Array(1)],
  'accounts.create': [{ name: 'a' }],
  'accounts.setEmailLimits': ['i', {}],
  'accounts.setApproval': ['i', true],
  'accounts.setBatchWeight': ['i', 1],
  'accounts.setSubscription': ['i', { docs: 1, templates: 1 }],
  'accounts.grantCredits': ['i', { docs: 1, templates: 1 }],
  'accounts.erase': ['i', 'a'],
  'account-keys.create': ['i', {}],
  'account-keys.setBudget': ['i', null],
  'acts.pinTemplate': ['i', { engine: null }],
  'dictionary.put': [{ de: { total: 'Summe' } }],
};
type Functions = Readonly<Record<string, (...input: readonly unknown[]) => unknown>>;

/** Variants of other functions, which have no operation of their own. */
const forms = /\.(wait|find|stream|getWithEtag|previewFile)$/;
const queried =
  /^(?!account-keys)\w+\.list$|^acts\.(?:queues|busiestAccounts|pauses|workers|quarantine|resealWebhooks)$|^account\.(?!key$)|^dictionary\./;

/** Calls every function of the resources, and returns the operations that were requested. */
async function callAll(resources: object): Promise<ReadonlySet<string>> {
  for (const [resource, functions] of Object.entries(resources)) {
    for (const [name, call] of Object.entries(functions as Functions)) {
      const path = `${resource}.${name}`;
      if (forms.test(path)) continue;
      const result = await call(...(inputs[path] ?? (queried.test(path) ? [] : ['i'])));
      const { all, next } = (result ?? {}) as { all?: () => unknown; next?: () => unknown };
      await (all ?? next)?.call(result);
    }
  }
  const called = received.map(({ method, url }) => {
    const path = url.replace(/\?.*/, '').replaceAll(/\/(?:[id]|tpl_i|(?<=versions\/)1)(?=\/|$)/g, '/{}');
    return `${method.toLowerCase()} ${path}`;
  });
  return new Set(called);
}

const wantedOf = (listed: readonly { readonly route: { readonly method: string; readonly path: string } }[]) =>
  new Set(listed.map(({ route }) => `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`));

test('every operation of the service has a function', async () => {
  const { templates, jobs, batches, deliveries, webhooks, assets, fonts, invoices, dictionary, account } = docmill;
  const resources = { templates, jobs, batches, deliveries, webhooks, assets, fonts, invoices, dictionary, account };
  const wanted = wantedOf(operations);
  expect(await callAll(resources)).toEqual(new Set([...wanted].filter((operation) => operation.includes('/v1/'))));
});

test('every operation of the admin API has a function of the client for operators', async () => {
  const admin = new DocmillAdmin({ operatorKey: 'dop_1', baseUrl: url });
  const { accounts, keys, operations: acts, erasures, operatorKeys, audit } = admin;
  const resources = { accounts, 'account-keys': keys, acts, erasures, operatorKeys, audit };
  expect(await callAll(resources)).toEqual(wantedOf(adminOperations));
});

test('the client for operators asks for a key', () => {
  expect(() => new DocmillAdmin({ baseUrl: url })).toThrow(
    'operatorKey is missing: pass it, or set DOCMILL_OPERATOR_KEY',
  );
});

test('a document whose connection breaks during the download is requested again with the same key', async () => {
  answer = (_, response, attempt) => {
    const timing = { 'Server-Timing': 'queue;dur=1.5, total;dur=20' };
    response.writeHead(200, { 'Content-Length': 6, 'Document-Id': 'doc_1', ...timing });
    if (attempt > 0) return response.end('abcdef');
    // The client receives these bytes, and then the connection closes.
    return response.write('abc', () => response.socket?.end());
  };
  const document = await docmill.templates.generate('tpl_1', { name: 'Ada' }, { format: 'pdf' });
  expect(document).toMatchObject({ id: 'doc_1', timings: { queue: 1.5, total: 20 }, warningCount: 0 });
  expect(new TextDecoder().decode(await document.bytes())).toBe('abcdef');
  expect(received).toHaveLength(2);
  expect(received[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(received[1]).toEqual(received[0]);
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ data: { name: 'Ada' }, output: { format: 'pdf' } });
});

test.each([429, 502, 503, 504])('a %i is retried with the same key, and finally reported', async (status) => {
  answer = reply(status, refusal, { 'Retry-After': '0', 'X-Request-Id': 'r1' });
  const error = await docmill.batches.create('tpl_1', []).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status, message: 'no', requestId: 'r1', idempotencyKey: received[0]?.key });
  expect(new Set(received.map(({ key }) => key)).size).toBe(1);
  expect(received).toHaveLength(4);
});

test.each([
  [400, 'invalid_request', 'InvalidRequestError'],
  [400, 'data_invalid', 'DataError'],
  [400, 'render_limit', 'TemplateError'],
  [401, 'unauthorized', 'AuthenticationError'],
  [402, 'quota_exceeded', 'QuotaError'],
  [403, 'forbidden', 'PermissionError'],
  [404, 'not_found', 'NotFoundError'],
  [409, 'conflict', 'ConflictError'],
  [412, 'precondition_failed', 'ConflictError'],
  [500, 'internal', 'ServiceError'],
])('a %i with the code %s becomes the class %s', async (status, code, name) => {
  answer = reply(status, refusal, { 'Error-Code': code });
  await expect(docmill.account.quotas()).rejects.toMatchObject({ name, status, code });
});

test('a Retry-After longer than the client accepts is reported at once', async () => {
  answer = reply(429, '', { 'Retry-After': '3600' });
  const error = await docmill.account.quotas().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
  expect(received).toHaveLength(1);
});

test('a version whose response is lost is not uploaded again, and a deletion counts as done when nothing is left', async () => {
  answer = (request, response, attempt) => {
    if (attempt === 0 || request.method === 'PUT') return response.destroy();
    return response.writeHead(404).end(refusal);
  };
  await docmill.templates.delete('tpl_1');
  expect(received).toHaveLength(2);
  await expect(docmill.templates.replace('tpl_1', 'a.docx', new Uint8Array(1))).rejects.toThrow(ConnectionError);
  expect(received).toHaveLength(3);
});

test('address and key come from the environment; a missing one is refused, and the key is not shown', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['DOCMILL_URL', 'DOCMILL_API_KEY']) vi.stubEnv(name, '');
  expect(() => new Docmill({ apiKey: undefined, baseUrl: 'http://a' })).toThrow(
    'apiKey is missing: pass it, or set DOC',
  );
  expect(() => new Docmill({ apiKey: 'a' })).toThrow('baseUrl is missing: pass it, or set DOCMILL_URL');
  vi.stubEnv('DOCMILL_URL', 'http://a');
  vi.stubEnv('DOCMILL_API_KEY', 'a secret');
  expect(() => new Docmill()).toThrow(/^apiKey must be visible ASCII without spaces$/);
  expect(new Docmill({ apiKey: 'a' })).toBeInstanceOf(Docmill);
});

test("a template's mistakes are errors with a location", async () => {
  const place = { tag: '{a', part: 'body', context: 'c', hint: 'h' };
  const problem = { message: 'broken', details: [{ type: 'Message', message: 'm', ...place }] };
  answer = reply(400, JSON.stringify({ error: problem }), { 'Error-Code': 'template_invalid' });
  const error = await docmill.templates.upload('a.docx', new Uint8Array(1)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TemplateError);
  expect(error).toMatchObject({ ...place, code: 'template_invalid' });
});

test('pages are read one after another, and the key is sent only to the service', async () => {
  answer = (request, response) => {
    const isFirst = !request.url?.includes('cursor');
    const link = { Link: '<http://elsewhere.invalid/v1/templates?limit=1&cursor=x>; rel="next"' };
    response.writeHead(200, isFirst ? link : {}).end(JSON.stringify([{ id: isFirst ? 'tpl_1' : 'tpl_2' }]));
  };
  expect((await docmill.templates.list({ limit: 1 }).all()).map(({ id }) => id)).toEqual(['tpl_1', 'tpl_2']);
  for await (const { id } of docmill.templates.list({ limit: 1 })) if (id === 'tpl_1') break;
  const first = '/v1/templates?limit=1';
  // The last request belongs to the list that was read only as far as needed.
  expect(received.map(({ url }) => url)).toEqual([first, `${first}&cursor=x`, first]);
});

async function* people() {
  yield { name: 'Ada' };
  yield { name: 'Alan' };
}
const lines = '{"name":"Ada"}\n{"name":"Alan"}\n';

test.each([
  ['an iterable', () => [{ name: 'Ada' }, { name: 'Alan' }].values()],
  ['a function of an iterable', () => people],
  ['a stream of lines', () => ({ ndjson: new Blob([lines]).stream() })],
])('the rows of %s are sent as lines', async (_, open) => {
  answer = reply(202, '{"id":"bat_1","status":"accepted"}');
  await docmill.batches.create('tpl_1', open());
  expect(received).toMatchObject([{ url: '/v1/templates/tpl_1/batches', body: lines }]);
});

test('an error in the source is passed on and not retried', async () => {
  const broken = async function* () {
    yield { name: 'Ada' };
    throw new RangeError('no more people');
  };
  await expect(docmill.batches.create('tpl_1', broken())).rejects.toThrow(RangeError);
  expect(received.length).toBeLessThanOrEqual(1);
});

test('rows of an async iterable are sent with their options, and the batch is followed to its end', async () => {
  answer = (request, response, attempt) => {
    if (request.method === 'POST') return response.writeHead(202).end('{"id":"bat_1","status":"accepted"}');
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (attempt === 1) return response.end('event: progress\ndata: {"status":"running"}\n\n');
    const last = '{"status":"completed","finishedAt":"2026-01-01T00:00:00Z"}';
    return response.end(`: heartbeat\n\nevent: end\ndata: ${last}\n\n`);
  };
  const batch = await docmill.batches.create('tpl_1', people(), { output: { format: 'pdf' }, bundle: 'none' });
  const seen: string[] = [];
  expect(await batch.wait({ onProgress: ({ status }) => seen.push(status) })).toMatchObject({ status: 'completed' });
  expect(seen).toEqual(['running', 'completed']);
  expect(received[0]).toMatchObject({ url: '/v1/templates/tpl_1/batches?bundle=none&format=pdf', body: lines });
});

test('compressed items are sent with the options around them', async () => {
  const items = '[{"data":{"total":1234567890123456789.50}}]';
  await docmill.batches.quote('tpl_1', { items: new Blob([gzipSync(items)]), encoding: 'gzip' }, { bundle: 'none' });
  await docmill.batches.quote('tpl_1', { items }, { bundle: 'none' });
  const bodies = received.map(({ body }) => body);
  expect(bodies).toEqual(Array(2).fill(`{"bundle":"none","items":${items}}`));
});

test('rows that can be read only once are not sent again, but rows from a function are', async () => {
  answer = (_, response) => response.destroy();
  const rows = () => [{ name: 'Ada' }].values();
  await expect(docmill.batches.create('tpl_1', rows())).rejects.toThrow(ConnectionError);
  expect(received).toHaveLength(1);
  await expect(docmill.batches.create('tpl_1', rows)).rejects.toThrow(ConnectionError);
  expect(received).toHaveLength(5);
});

test('webhooks are verified with each secret, and refused when they are altered or old', async () => {
  const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
  const body = '{"type":"webhook.test","timestamp":"2026-01-01T00:00:00Z","data":{}}';
  const sign = (date: Date) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('evt_1', date, body)}`,
  });
  const headers = sign(new Date());
  const other = `whsec_${Buffer.from('another').toString('base64')}`;
  const event = await verifyWebhook({ body, headers: new Headers(headers), secret: [other, secret] });
  expect(event).toMatchObject({ id: 'evt_1', type: 'webhook.test' });
  for (const wrong of [{ body: `${body} ` }, { secret: other }, { headers: sign(new Date(Date.now() - 301_000)) }]) {
    await expect(verifyWebhook({ body, headers, secret, ...wrong })).rejects.toThrow(WebhookVerificationError);
  }
});

test('a timeout beyond the longest timer means that there is no timeout', async () => {
  answer = (_, response) => setTimeout(() => response.writeHead(200).end('[]'), 50);
  await expect(docmill.account.quotas({ timeoutMs: 2 ** 40, maxRetries: 0 })).resolves.toEqual([]);
});

test('an aborted call rejects with the reason of its signal', async () => {
  answer = () => undefined;
  const aborted = docmill.account.quotas({ signal: AbortSignal.timeout(50) });
  await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(docmill.account.quotas({ timeoutMs: 50, maxRetries: 0 })).rejects.toThrow(ConnectionError);
});

test.each([
  [`attachment; filename="Zurich.pdf"; filename*=UTF-8''Z%C3%BCrich.pdf`, 'Zürich.pdf'],
  [`attachment; filename="plain.pdf"; filename*=UTF-8''%ff`, 'plain.pdf'],
  ['attachment', ''],
])('the file name of a document with %j is %j', async (disposition, filename) => {
  answer = reply(200, 'x', { 'Content-Disposition': disposition });
  const document = await docmill.templates.generate('tpl_1', {});
  expect(document.filename).toBe(filename);
  await document.bytes();
});

test('a template is used by its name: each call looks up its id', async () => {
  answer = ({ method }, response) =>
    response.end(
      method === 'GET' ? '[{"id":"tpl_7","name":"invoice.docx"},{"id":"tpl_8","name":"my invoice.docx"}]' : '{}',
    );
  for (const name of ['invoice', 'invoice.docx']) await docmill.templates.start(name, {}, { idempotencyKey: 'k' });
  const listed = { method: 'GET', url: '/v1/templates?name=invoice.docx', key: undefined };
  const started = { method: 'POST', url: '/v1/templates/tpl_7/jobs', key: 'k' };
  expect(received).toMatchObject([listed, started, listed, started]);
});

test('a preview of a file keeps the digits of its data and reports the number of pages', async () => {
  answer = reply(200, 'x', { 'Content-Type': 'image/png', 'Page-Count': '7', 'Warning-Codes': 'a, b' });
  const preview = await docmill.templates.previewFile(new Uint8Array([1]), '{"data":{"n":12345678901234567890.10}}');
  expect(preview).toMatchObject({ contentType: 'image/png', pageCount: 7, warningCodes: ['a', 'b'] });
  expect(received[0]?.body).toContain('12345678901234567890.10');
});

test('a template is read with the entity tag of its state', async () => {
  answer = reply(200, '{"id":"i"}', { ETag: '"3-7"' });
  expect(await docmill.templates.getWithEtag('i')).toEqual({ template: { id: 'i' }, entityTag: '"3-7"' });
});
