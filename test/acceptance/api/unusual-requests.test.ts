import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { expectProblem, expectProblemShape } from '../../support/client/api-client.ts';
import { connectRaw, type RawConnection } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { ended } from '../batches/batch-client.ts';
import { ownBoundary, rawBody } from './form-bodies.ts';
import { png } from './pictures.ts';
import { address, letter } from './samples.ts';

const { newClient, url } = await useService(inject('stack'));
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('a.docx', letter('[{name}]'))).id;
});

describe('Document-Id', () => {
  const jobOf = async (documentId: string | null) => {
    expect(documentId).toMatch(/^doc_[0-9a-z]{26}$/);
    return (await client.call('GET', `/v1/jobs/${documentId}`)).json<{ warnings: unknown[]; status: string }>();
  };

  test('leads from the file to the job and its warnings', async () => {
    const answer = await client.generate(id, { data: { unused: 1 } });
    expect(answer.status).toBe(200);
    const job = await jobOf(answer.headers.get('Document-Id'));
    expect([job.status, job.warnings.length]).toEqual(['succeeded', Number(answer.headers.get('Warnings') ?? 0)]);
  });

  test('is the same in the answer to a repeated request, and that of the job with respond-async', async () => {
    const headers = { 'Idempotency-Key': `k-${Date.now()}` };
    const request = { data: { name: 'Ada' }, output: { email: { to: [address()] } } };
    const [first, again] = [await client.generate(id, request, headers), await client.generate(id, request, headers)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('Document-Id')).toBe(first.headers.get('Document-Id'));
    const later = await client.generate(id, { data: {} }, { Prefer: 'respond-async, wait=5' });
    expect(later.headers.get('Document-Id')).toBe(later.json<{ id: string }>().id);
  });

  test('is in the answer of a document that failed, and in no other error', async () => {
    const failed = await client.generate(id, { data: {}, output: { onMissing: 'error' } });
    expectProblem(failed, 400);
    expect((await jobOf(failed.headers.get('Document-Id'))).status).toBe('failed');
    const refused = await client.generate(id, { data: 1 });
    expect([refused.status, refused.headers.get('Document-Id')]).toEqual([400, null]);
  });
});

describe('a multipart form', () => {
  const part = (name: string, rest = '') => `--x\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  const file = letter('{x}');
  const send = (...parts: readonly (string | Uint8Array)[]) =>
    client.call('POST', '/v1/templates', { body: new Uint8Array(rawBody(...parts)), headers: ownBoundary });

  test.each([
    ['no file name', ''],
    ['an empty file name', '; filename=""'],
    ['only a type', '\r\nContent-Type: application/octet-stream'],
    ['another type', '\r\nContent-Type: text/plain; charset=utf-16'],
  ])('may give the file %s', async (_name, rest) => {
    const answer = await send(part('name'), 'b.docx\r\n', part('file', rest), file, '\r\n--x--\r\n');
    expect(answer.status, answer.bytes.toString()).toBe(201);
    const { id: uploaded } = answer.json<{ id: string }>();
    expect((await client.call('GET', `/v1/templates/${uploaded}/content`)).bytes.equals(file)).toBe(true);
  });

  test('may give a picture and sample data without a file name', async () => {
    const picture = [part('name'), 'logo.png\r\n', part('file'), png(3, 3, [1, 2, 3]), '\r\n--x--\r\n'];
    const body = new Uint8Array(rawBody(...picture));
    expect((await client.call('POST', '/v1/assets', { body, headers: ownBoundary })).status).toBe(201);
    const sample = [part('sampleData'), '\ufeff{"x":"1"}\r\n', part('file'), file, '\r\n--x--\r\n'];
    const validation = { body: new Uint8Array(rawBody(...sample)), headers: ownBoundary };
    const answer = await client.call('POST', '/v1/templates/validate', validation);
    expect(answer.status, answer.bytes.toString()).toBe(200);
  });

  test.each([
    ['before the file', (name: string) => [part('name', name), 'b.docx\r\n', part('file', '; filename="f"'), file]],
    ['after the file', (name: string) => [part('file', '; filename="f"'), file, '\r\n', part('name', name), 'b.docx']],
  ])('with a name that is a file %s says so', async (_name, parts) => {
    for (const name of ['; filename="x.txt"', '; filename=""']) {
      const { details } = expectProblem(await send(...parts(name), '\r\n--x--\r\n'), 400, /^name: is sent as a file/);
      expect(details).toEqual([expect.objectContaining({ type: 'Field', path: 'name' })]);
    }
  });

  test('may give the name a type', async () => {
    const name = part('name', '\r\nContent-Type: application/octet-stream');
    expect((await send(name, 'b.docx\r\n', part('file'), file, '\r\n--x--\r\n')).status).toBe(201);
  });
});

describe('a byte order mark before JSON is ignored', () => {
  const json = { 'Content-Type': 'application/json' };
  test('in generate, rename, webhooks and batches', async () => {
    const post = (path: string, text: string, method = 'POST') =>
      client.call(method, path, { body: `\ufeff${text}`, headers: json });
    const document = await post(`/v1/templates/${id}/generate`, '{"data":{"name":"Ada"}}');
    expect(docxText(document.bytes)).toBe('[Ada]');
    expect((await post(`/v1/templates/${id}`, '{"name":"a.docx"}', 'PUT')).status).toBe(200);
    const webhook = '{"url":"https://example.com/hook","events":["document.failed"]}';
    expect((await post('/v1/webhooks', webhook)).status).toBe(201);
    const batch = await post(`/v1/templates/${id}/batches`, '{"items":[{"data":{"name":"Ada"}}],"bundle":"none"}');
    expect(batch.status, batch.bytes.toString()).toBe(202);
    expect(await ended(client, batch.json<{ id: string }>().id)).toMatchObject({ counts: { succeeded: 1 } });
    const broken = expectProblem(await post(`/v1/templates/${id}/generate`, '{"data":x}'), 400);
    expect(broken.message).toMatch(/not valid JSON \(at byte 11\)/);
    for (const [text, at] of [
      ['{"items":x}', 12],
      ['{x', 4],
      ['{"items":[{}],x}', 17],
    ] as const) {
      expectProblem(await post(`/v1/templates/${id}/batches`, text), 400, new RegExp(`at byte ${at}\\)`));
    }
  });

  test('but not a second one, nor one elsewhere', async () => {
    for (const body of ['\ufeff\ufeff{"data":{}}', '{\ufeff"data":{}}', '{"data":{}}\ufeff', '\ufeff']) {
      expectProblem(
        await client.call('POST', `/v1/templates/${id}/generate`, { body, headers: json }),
        400,
        /not valid JSON/,
      );
    }
  });
});

describe('HTTP/1.0 without a host', () => {
  let connection: RawConnection;
  beforeEach(async () => {
    connection = await connectRaw(url);
  });
  afterEach(() => connection.close());
  const key = () => `Authorization: Bearer ${client.apiKey}\r\n`;

  test.each([
    ['/healthz', 200],
    ['/readyz', 200],
    ['/openapi.json', 200],
    ['/v1/account/quotas', 200],
    ['/v1/nothing', 404],
  ])('%s is answered, and the connection closed', async (path, status) => {
    await connection.send(`GET ${path} HTTP/1.0\r\n${key()}\r\n`);
    expect((await connection.answer()).status).toBe(status);
    await connection.closed();
  });

  test('a connection is kept when the client asks for it', async () => {
    for (let i = 0; i < 2; i++) {
      await connection.send(`GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`);
      const answer = await connection.answer();
      expect([answer.status, answer.headers.get('Connection')]).toEqual([200, 'keep-alive']);
    }
  });

  test('a document can be generated, and the links of lists are usable', async () => {
    const body = '{"data":{"name":"Ada"}}';
    const head = `POST /v1/templates/${id}/generate HTTP/1.0\r\n${key()}Content-Type: application/json\r\n`;
    await connection.send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    expect((await connection.answer()).status).toBe(200);
    const list = await connectRaw(url);
    await list.send(`GET /v1/templates?limit=1 HTTP/1.0\r\n${key()}\r\n`);
    expect((await list.answer()).headers.get('Link')).toMatch(
      /^<http:\/\/127\.0\.0\.1:\d+\/v1\/templates\?limit=1&cursor=/,
    );
  });
});

describe('odd addresses', () => {
  test.each([
    ['/v1/templates?limit=1&limit=2', /^limit: is given more than once$/],
    ['/v1/templates?limit=&name=a', /^limit: must be a whole number$/],
    ['/v1/templates?limit=1e999', /^limit: must be a whole number$/],
    ['/v1/templates?limit=-1', /^limit: must be at least 1$/],
    ['/v1/templates?limit=1.5', /^limit: must be a whole number$/],
    [`/v1/templates?cursor=${'a'.repeat(5_000)}`, /^cursor: must have at most 200 characters$/],
    ['/v1/templates?cursor=dHBsXw', /^cursor: is not a cursor of this list$/],
    ['/v1/templates?name=%00', /^name: must not contain/],
    ['/v1/templates?name=a&name=b', /^name: is given more than once$/],
    ['/v1/jobs?status=failed&status=failed', /^status: is given more than once$/],
    ['/v1/account/usage?from=2026-01-01&from=2026-01-01', /^from: is given more than once$/],
  ])('%s', async (path, message) => {
    const { details } = expectProblem(await client.call('GET', path), 400, message);
    expect(details?.map(({ type }) => type)).toEqual(['Field']);
  });

  test('parameters given twice are refused where they would charge', async () => {
    const call = (path: string, json: unknown) => client.call('POST', `/v1/templates/${id}/${path}`, { json });
    const before = (await client.quotas()).remaining.total.docs;
    expectProblem(await call('generate?version=1&version=1', { data: {} }), 400, /^version: is given more than once/);
    expectProblem(await call('batches?version=1&version=2', { items: [{ data: {} }] }), 400, /^version: is given more/);
    expectProblem(
      await call('batches?dryRun=true&dryRun=false', { items: [{ data: {} }] }),
      400,
      /^dryRun: is given more/,
    );
    expect((await client.quotas()).remaining.total.docs).toBe(before);
  });

  test.each(['limit=01', 'limit=1&unknown=x&unknown=y', 'unknown', '&&', 'limit=%31'])(
    '?%s is accepted',
    async (query) => {
      expect((await client.call('GET', `/v1/templates?${query}`)).status).toBe(200);
    },
  );

  test.each([
    ['//v1/templates', 404],
    ['/v1/templates/%', 404],
    ['/v1/templates/%zz', 404],
    ['/v1/templates/%00', 404],
    ['/v1/templates/%E0%A4%A', 404],
    ['/v1/templates/..%2f..%2fx', 404],
    ['/v1/Templates', 404],
    ['/v1/templates;x=1', 404],
    [`/v1/templates/${'a'.repeat(8_000)}`, 404],
  ])('%.40s', async (path, status) => {
    expectProblem(await client.call('GET', path), status);
  });

  test('an id may be percent-encoded', async () => {
    expect((await client.call('GET', `/v1/templates/${id.replace('_', '%5F')}`)).status).toBe(200);
    expectProblem(await client.call('GET', `/v1/templates/${id.toUpperCase()}`), 404);
  });
});

describe('odd headers and bodies', () => {
  let connection: RawConnection;
  beforeEach(async () => {
    connection = await connectRaw(url);
  });
  afterEach(() => connection.close());
  const head = (line: string, ...headers: readonly string[]) =>
    [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${client.apiKey}`, ...headers, '', ''].join('\r\n');

  test.each([
    ['GET /v1/account/quotas', 'Content-Length: 5', 'hello', 200],
    ['GET /v1/account/quotas', 'Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n', 200],
    ['DELETE /v1/templates/tpl_00000000000000000000000000', 'Content-Length: 5', 'hello', 404],
    ['DELETE /v1/templates/tpl_00000000000000000000000000', 'Content-Length: 0', '', 404],
    ['PUT /v1/templates/tpl_00000000000000000000000000', 'Content-Length: 0', '', 400],
    ['POST /v1/webhooks', 'Content-Length: 0', '', 400],
    ['POST /v1/templates', 'Content-Length: 0', '', 400],
    ['POST /v1/webhooks', 'X: y', '', 400],
  ])('%s with %s', async (line, header, body, status) => {
    await connection.send(head(line, header), body);
    const answer = await connection.answer();
    expect(answer.status).toBe(status);
    if (status >= 400) expectProblemShape(answer);
    await connection.send(head('GET /v1/account/quotas'));
    expect((await connection.answer()).status).toBe(200);
  });

  test('Expect: 100-continue is answered before the body is sent', async () => {
    const body = '{"data":{"name":"Ada"}}';
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue'];
    await connection.send(head(`POST /v1/templates/${id}/generate`, ...lines));
    expect((await connection.answer()).status).toBe(100);
    await connection.send(body);
    expect((await connection.answer()).status).toBe(200);
  });

  test.each([
    'text/html',
    'application/json;q=0',
    '*/*;q=0, nonsense',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ])('Accept: %s is ignored', async (accept) => {
    const answer = await client.call('GET', '/v1/account/quotas', { headers: { Accept: accept } });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/json']);
  });

  test.each(['name":"a\\u0000b', 'name":"a\\ud800b', 'name":"\\udfff', 'na\\u0000me":"x'])(
    'data with "%s" is filled in or refused, never an internal error',
    async (member) => {
      const body = `{"data":{"${member}"},"output":{"filename":"a\\u0000\\ud800\\r\\nX-Injected: 1"}}`;
      const answer = await client.call('POST', `/v1/templates/${id}/generate`, {
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([200, 400]).toContain(answer.status);
      expect(answer.headers.get('X-Injected')).toBeNull();
    },
  );
});
