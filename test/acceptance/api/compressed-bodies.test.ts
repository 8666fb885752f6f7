import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, type TemplateMetadata } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { ended } from '../batches/batch-client.ts';
import { fileHead, nameHead, ownBoundary, rawBody, streamOf } from './form-bodies.ts';
import { letter, megabyte } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const json = { 'Content-Type': 'application/json' };
const csv = { 'Content-Type': 'text/csv' };
const ndjson = { 'Content-Type': 'application/x-ndjson' };
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('a.docx', letter('[{name}]'))).id;
});

const encoders = { gzip: gzipSync, 'X-GZIP': gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
type Encoding = keyof typeof encoders;
const encodings = Object.keys(encoders) as Encoding[];
const send = (path: string, body: Uint8Array | ReadableStream, encoding: string, headers: Record<string, string>) =>
  client.call('POST', path, {
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
    headers: { ...headers, 'Content-Encoding': encoding },
  });
const generate = (body: Uint8Array | ReadableStream, encoding: string) =>
  send(`/v1/templates/${id}/generate`, body, encoding, json);
const docsLeft = async () => (await client.quotas()).remaining.total.docs;

describe.each(encodings)('%s', (encoding) => {
  const encode = encoders[encoding];
  const request = Buffer.from('{"data":{"name":"Ada"}}');

  test('is decompressed for a document, announced or chunked', async () => {
    expect(docxText((await generate(encode(request), encoding)).bytes)).toBe('[Ada]');
    expect(docxText((await generate(streamOf(encode(request), 3), encoding)).bytes)).toBe('[Ada]');
  });

  test('is decompressed for a form', async () => {
    const file = letter('{x}');
    const form = encode(rawBody(nameHead, 'b.docx\r\n', fileHead, file, '\r\n--x--\r\n'));
    const answer = await send('/v1/templates', form, encoding, ownBoundary);
    expect(answer.status, answer.bytes.toString()).toBe(201);
    const { id: uploaded } = answer.json<TemplateMetadata>();
    expect((await client.call('GET', `/v1/templates/${uploaded}/content`)).bytes.equals(file)).toBe(true);
  });

  test.each([
    ['JSON', json, '{"items":[{"data":{"name":"Ada"}},{"data":{}}],"bundle":"none"}', ''],
    ['NDJSON', ndjson, '{"name":"Ada"}\n{}\n', '?bundle=none'],
    ['CSV', csv, 'name\r\nAda\r\nBob\r\n', '?bundle=none'],
  ])('is decompressed for a batch of %s', async (_name, headers, text, query) => {
    const answer = await send(`/v1/templates/${id}/batches${query}`, encode(Buffer.from(text)), encoding, headers);
    expect(answer.status, answer.bytes.toString()).toBe(202);
    expect(await ended(client, answer.json<{ id: string }>().id)).toMatchObject({ counts: { succeeded: 2 } });
  });

  test('a body that is not of this encoding, or is cut off, is refused by its name', async () => {
    const whole = encode(Buffer.from(`{"data":{"name":"${'Ada '.repeat(5_000)}${Math.random()}"}}`));
    for (const body of [request, whole.subarray(0, -10), whole.subarray(0, 5), Buffer.of(0)]) {
      expectProblem(await generate(body, encoding), 400, new RegExp(`is not valid ${encoding.toLowerCase()}`));
      const batch = await send(`/v1/templates/${id}/batches`, body, encoding, ndjson);
      expectProblem(batch, 400, /Content-Encoding/);
      expectProblem(await send('/v1/templates', body, encoding, ownBoundary), 400, /Content-Encoding/);
    }
  });
});

test('the body is what is decompressed: its limit, and its idempotency key', async () => {
  const fits = gzipSync(`{"data":{"name":"Ada","rest":"${' '.repeat(9 * megabyte)}"}}`);
  expect((await generate(fits, 'gzip')).status).toBe(200);
  const tooLong = gzipSync(`{"data":{"name":"Ada","rest":"${' '.repeat(10 * megabyte)}"}}`);
  expectProblem(await generate(tooLong, 'gzip'), 400, /larger than 10 MB/);
  const before = await docsLeft();
  const key = { ...json, 'Idempotency-Key': `c-${Date.now()}` };
  const body = '{"data":{"name":"once"}}';
  const path = `/v1/templates/${id}/generate`;
  const answers = [
    await client.call('POST', path, { body, headers: key }),
    await send(path, gzipSync(body), 'gzip', key),
    await send(path, brotliCompressSync(body), 'br', key),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await docsLeft()).toBe(before - 1);
});

test.each(['compress', 'gzip, br', 'gzip, gzip', 'utf-8', '__proto__', 'x', '*'])(
  'the encoding "%s" gets 415 and the encodings that are supported',
  async (encoding) => {
    const before = await docsLeft();
    const answers = [
      await generate(Buffer.from('{"data":{}}'), encoding),
      await send('/v1/templates', Buffer.from('x'), encoding, ownBoundary),
      await send('/v1/assets', Buffer.from('x'), encoding, ownBoundary),
      await send('/v1/webhooks', Buffer.from('{}'), encoding, json),
      await send(`/v1/templates/${id}/batches`, Buffer.from('{}'), encoding, ndjson),
    ];
    for (const answer of answers) {
      expectProblem(answer, 415, /Content-Encoding must be one of/);
      expect(answer.headers.get('Accept-Encoding')).toMatch(/^gzip, deflate, br(, zstd)?$/);
    }
    expect(await docsLeft()).toBe(before);
  },
);

test.each(['', 'identity', ' Identity '])('the encoding "%s" means none', async (encoding) => {
  expect((await generate(Buffer.from('{"data":{}}'), encoding)).status).toBe(200);
});

test('a compressed body without the header is recognised', async () => {
  const body = new Uint8Array(gzipSync('{"data":{}}'));
  for (const [path, headers] of [
    ['generate', json],
    ['batches', ndjson],
  ] as const) {
    const answer = await client.call('POST', `/v1/templates/${id}/${path}`, { body, headers });
    expectProblem(answer, 400, /Send it with Content-Encoding: gzip/);
  }
});

/** The usual quality takes two seconds for a bomb. */
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

describe('a bomb', () => {
  /** A gzip body of 10 MB that expands to 10 GB: the same megabyte of spaces, ten thousand times. */
  function tenGigabytes(): Buffer {
    // Ends at a byte and without a final block, so that it can be repeated.
    const options = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
    const segment = deflateRawSync(Buffer.alloc(megabyte, ' '), options);
    const head = gzipSync('').subarray(0, 10);
    return Buffer.concat([head, ...Array.from({ length: 10_000 }, () => segment)]);
  }

  test('of 10 MB that expands to 10 GB is refused in seconds, alone and eight at a time', async () => {
    const bomb = tenGigabytes();
    expect(bomb.length).toBeGreaterThan(9 * megabyte);
    const before = await docsLeft();
    const attempts = Array.from({ length: 8 }, () => generate(bomb, 'gzip'));
    for (const answer of await Promise.all(attempts)) expectProblem(answer, 400, /larger than 10 MB/);
    expectProblem(await send('/v1/templates', bomb, 'gzip', ownBoundary), 400);
    for (const headers of [ndjson, csv, json]) {
      expectProblem(await send(`/v1/templates/${id}/batches`, bomb, 'gzip', headers), 400);
    }
    expect(await docsLeft()).toBe(before);
  });

  test.each([' ', '\n', '\r\n', ',', '"', '{', '[['])('of brotli with millions of %j is refused', async (piece) => {
    const bomb = brotliCompressSync(Buffer.alloc(64 * megabyte, piece), fast);
    expect(bomb.length).toBeLessThan(1_000);
    expectProblem(await generate(bomb, 'br'), 400, /larger than 10 MB/);
    for (const headers of [ndjson, csv, json]) {
      expectProblem(await send(`/v1/templates/${id}/batches`, bomb, 'br', headers), 400);
    }
  });
});
