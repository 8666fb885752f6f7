import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem, type TemplateMetadata } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { csv, docsLeft, ended, ndjson } from '../batches/batch-client.ts';
import { fileHead, nameHead, ownBoundary, rawBody, streamOf } from './form-bodies.ts';
import { letter, megabyte } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const json = { 'Content-Type': 'application/json' };
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('a.docx', letter('[{name}]'))).id;
});

type Body = Uint8Array | ReadableStream;
const send = (path: string, body: Body, encoding: string, headers: Readonly<Record<string, string>>) =>
  client.call('POST', path, {
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
    headers: { ...headers, 'Content-Encoding': encoding },
  });
const generate = (body: Body, encoding: string) => send(`/v1/templates/${id}/generate`, body, encoding, json);
const batch = (body: Body, encoding: string, headers: Readonly<Record<string, string>>) =>
  send(`/v1/templates/${id}/batches`, body, encoding, headers);

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('%s is decompressed for documents, forms and batches, announced or chunked', async (encoding, encode) => {
  const request = encode(Buffer.from('{"data":{"name":"Ada"}}'));
  expect(docxText((await generate(request, encoding)).bytes)).toBe('[Ada]');
  expect(docxText((await generate(streamOf(request, 3), encoding)).bytes)).toBe('[Ada]');
  const file = letter('{x}');
  const form = encode(rawBody(nameHead, 'b.docx\r\n', fileHead, file, '\r\n--x--\r\n'));
  const uploaded = (await send('/v1/templates', form, encoding, ownBoundary)).json<TemplateMetadata>();
  expect((await client.call('GET', `/v1/templates/${uploaded.id}/content`)).bytes.equals(file)).toBe(true);
  // A batch is read in the same way in every encoding.
  const batches =
    encoding !== 'gzip'
      ? []
      : ([
          [json, '{"items":[{"data":{"name":"Ada"}},{"data":{}}]}'],
          [ndjson, '{"name":"Ada"}\n{}\n'],
          [csv, 'name\r\nAda\r\nBob\r\n'],
        ] as const);
  for (const [headers, text] of batches) {
    const answer = await batch(encode(Buffer.from(text)), encoding, headers);
    expect(answer.status, answer.bytes.toString()).toBe(202);
    expect(await ended(client, answer.json<{ id: string }>().id)).toMatchObject({ counts: { succeeded: 2 } });
  }
  for (const body of [Buffer.from('{}'), request.subarray(0, -5)]) {
    expectProblem(await generate(body, encoding), 400, new RegExp(`is not valid ${encoding}`));
    expectProblem(await batch(body, encoding, ndjson), 400, /Content-Encoding/);
  }
});

test('limits and idempotency keys apply to the decompressed body', async () => {
  const fits = gzipSync(`{"data":{"name":"Ada","rest":"${' '.repeat(9 * megabyte)}"}}`);
  expect((await generate(fits, 'gzip')).status).toBe(200);
  const before = await docsLeft(client);
  const key = { ...json, 'Idempotency-Key': 'compressed' };
  const body = '{"data":{"name":"once"}}';
  const path = `/v1/templates/${id}/generate`;
  const answers = [
    await client.call('POST', path, { body, headers: key }),
    await send(path, gzipSync(body), 'gzip', key),
    await send(path, brotliCompressSync(body), 'br', key),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await docsLeft(client)).toBe(before - 1);
});

test('a compressed body without the header is recognised, and another encoding refused', async () => {
  const body = new Uint8Array(gzipSync('{"data":{}}'));
  for (const [path, headers] of [
    ['generate', json],
    ['batches', ndjson],
  ] as const) {
    const answer = await client.call('POST', `/v1/templates/${id}/${path}`, { body, headers });
    expectProblem(answer, 400, /Send it with Content-Encoding: gzip/);
  }
  expectProblem(await batch(Buffer.from('{}'), 'compress', ndjson), 415, /Content-Encoding must be one of/);
});

/** A gzip body of 10 MB that expands to 10 GB: the same megabyte of spaces, ten thousand times. */
function tenGigabytes(): Buffer {
  // The segment ends at a byte boundary and without a final block, so that it can be repeated.
  const options = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
  const segment = deflateRawSync(Buffer.alloc(megabyte, ' '), options);
  const head = gzipSync('').subarray(0, 10);
  return Buffer.concat([head, ...Array.from({ length: 10_000 }, () => segment)]);
}

test('a bomb of 10 MB that expands to 10 GB is refused by documents, uploads and batches, and not charged', async () => {
  const bomb = tenGigabytes();
  expect(bomb.length).toBeGreaterThan(9 * megabyte);
  const before = await docsLeft(client);
  expectProblem(await generate(bomb, 'gzip'), 400, /larger than 10 MB/);
  expectProblem(await send('/v1/templates', bomb, 'gzip', ownBoundary), 400);
  expectProblem(await batch(bomb, 'gzip', ndjson), 400);
  expect(await docsLeft(client)).toBe(before);
});
