import { gzipSync } from 'node:zlib';
import { chunked, connectRaw } from '../../../support/client/raw-http.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { letter, textOfDocx } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { residentBytes } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';
import { noJson, noUtf8 } from './invalid-json.ts';

const megabyte = 1024 * 1024;
const json = 'application/json';
const multipart = 'multipart/form-data; boundary=b';
const nameField = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\na.docx\r\n';
const fileHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\n';

type Piece = string | Uint8Array;

/** Sends raw bytes and returns the status of the first answer; 0 without an answer. */
async function statusOf(
  h: Harness,
  { account }: Owner,
  target: string,
  headers: readonly string[],
  body: Iterable<Piece>,
): Promise<number> {
  const connection = await connectRaw(h.api.url);
  const fixed = [`${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${account.apiKey}`];
  const asking = connection.answer().then(
    (answer) => {
      expect(answer.status < 400 || answer.bytes.includes('"error"'), `${target}: a refusal without the error body`);
      return answer.status;
    },
    () => 0,
  );
  await connection.send(`${[...fixed, ...headers].join('\r\n')}\r\n\r\n`, ...body);
  const status = await asking;
  connection.close();
  return status;
}

const ownLength = (bytes: number): string => `Content-Length: ${bytes}`;
const type = (value: string): string => `Content-Type: ${value}`;

/** A complete multipart form. */
function form(...pieces: readonly Piece[]): Buffer {
  return Buffer.concat([...pieces, '\r\n--b--\r\n'].map((piece) => Buffer.from(piece)));
}

interface FramedAttack {
  readonly what: string;
  readonly headers: readonly string[];
  readonly body: () => Iterable<Piece>;
}

const parts = (count: number, head: string): Buffer => Buffer.from(`${head}\r\n\r\nx\r\n`.repeat(count));

const uploads: readonly FramedAttack[] = [
  {
    what: '11 MB in chunks',
    headers: [type(multipart), 'Transfer-Encoding: chunked'],
    body: () => chunked(form(nameField, fileHead, Buffer.alloc(11 * megabyte))),
  },
  ...[
    ['10 000 fields', parts(10_000, '--b\r\nContent-Disposition: form-data; name="f"')] as const,
    ['10 000 files', parts(10_000, '--b\r\nContent-Disposition: form-data; name="f"; filename="x"')] as const,
    ['a header of 1 MB', parts(1, `--b\r\nX-Long: ${'x'.repeat(megabyte)}`)] as const,
    ['10 000 headers', parts(1, `--b\r\n${'X-A: b\r\n'.repeat(10_000)}X-B: c`)] as const,
    ['a form within the form', parts(1, '--b\r\nContent-Type: multipart/mixed; boundary=c')] as const,
  ].map(([what, before]): FramedAttack => {
    const body = form(before, nameField, fileHead);
    return { what, headers: [type(multipart), ownLength(body.length)], body: () => [body] };
  }),
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
  ].map((value): FramedAttack => {
    const body = form(nameField, fileHead, letter);
    return { what: value.slice(0, 60), headers: [type(value), ownLength(body.length)], body: () => [body] };
  }),
];

const frames: readonly FramedAttack[] = [
  {
    what: '11 MB in chunks',
    headers: [type(json), 'Transfer-Encoding: chunked'],
    body: () => chunked(Buffer.from(`{"data":{"a":"${'x'.repeat(11 * megabyte)}"}}`)),
  },
  {
    what: '50 MB',
    headers: [type(json), ownLength(50 * megabyte)],
    body: () => Array.from({ length: 50 }, () => Buffer.alloc(megabyte, 0x20)),
  },
  {
    what: 'a gzip bomb',
    headers: [type(json), 'Content-Encoding: gzip', ownLength(bomb().length)],
    body: () => [bomb()],
  },
  { what: 'a length that is no number', headers: [type(json), 'Content-Length: 1e1'], body: () => ['{"data":{}}'] },
  { what: 'a negative length', headers: [type(json), 'Content-Length: -1'], body: () => ['{"data":{}}'] },
  { what: 'two lengths', headers: [type(json), ownLength(11), ownLength(2)], body: () => ['{"data":{}}'] },
  {
    what: 'a chunk that is too long',
    headers: [type(json), 'Transfer-Encoding: chunked'],
    body: () => ['fffffffffffffffff\r\n{"data":{}}\r\n0\r\n\r\n'],
  },
  {
    what: 'a chunk size that is no number',
    headers: [type(json), 'Transfer-Encoding: chunked'],
    body: () => ['xyz\r\n{}\r\n0\r\n\r\n'],
  },
  {
    what: 'an unknown coding',
    headers: [type(json), 'Transfer-Encoding: xchunked', ownLength(11)],
    body: () => ['{"data":{}}'],
  },
];

function bomb(): Buffer {
  return gzipSync(Buffer.alloc(30 * megabyte, 0x20));
}

/** Smuggles a second request behind two lengths: whichever the server uses, it must not execute the second one. */
async function smuggle(h: Harness, owner: Owner): Promise<void> {
  const hidden = `DELETE /v1/templates/${owner.templateId} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner.account.apiKey}\r\n\r\n`;
  const codings = [
    'chunked',
    'Chunked',
    ' chunked',
    'chunked, identity',
    'identity, chunked',
    '\tchunked',
    '"chunked"',
  ];
  for (const coding of codings) {
    const headers = [type(json), `Transfer-Encoding:${coding}`, ownLength(5 + hidden.length)];
    await statusOf(h, owner, `POST /v1/templates/${owner.templateId}/generate`, headers, [`0\r\n\r\n${hidden}`]);
    const still = await owner.client.call('GET', `/v1/templates/${owner.templateId}`);
    expectEqual(still.status, 200, `the template after a request hidden behind "${coding}"`);
  }
}

export const hostileBodyRows: readonly Row[] = [
  {
    id: 'A3',
    title: `${noJson.length + noUtf8.length} bodies that are not JSON`,
    story:
      'As the body and inside data, invalid UTF-8, a million levels, __proto__ twice: 400, nothing charged, no effect on later requests',
    async run(h) {
      await h.start();
      const traces = buildDocx({ body: paragraph('{canary} {order} [{x}][{a.x}]') });
      const { client, templateId } = await h.owner(traces, { credits: 5 });
      const headers = { 'Content-Type': json };
      const send = (body: Buffer) =>
        client.call('POST', `/v1/templates/${templateId}/generate`, { body: new Uint8Array(body), headers });
      const within = (inner: Buffer) => Buffer.concat([Buffer.from('{"data":{"a":'), inner, Buffer.from('}}')]);
      const strings = noUtf8.map((bytes) => Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')]));
      const texts = [...noJson.map((text) => Buffer.from(text)), ...strings];
      for (const text of texts.flatMap((each) => [each, within(each)])) {
        const { status } = await send(text);
        expectEqual(status, 400, `the answer to ${JSON.stringify(text.toString()).slice(0, 100)}`);
      }
      for (const piece of ['[', '{"a":', '[{"a":'])
        expectEqual((await send(within(Buffer.from(piece.repeat(1_000_000))))).status, 400, `a million ${piece}`);
      expectEqual((await client.quotas()).docs, 5, 'the credits left');
      const polluting = `{"data":{"canary":"${client.account.canary}","__proto__":{"x":1},"__proto__":{"x":2},"a":{}}}`;
      expectEqual((await send(Buffer.from(polluting))).status, 200, 'the answer to __proto__ twice');
      h.allowedUnanswered = 1;
      const next = await client.generate({ templateId, data: { a: {} } });
      expect(textOfDocx(next.body)?.includes('[][]') === true, 'a later document shows what another one sent');
    },
  },
  {
    id: 'A4',
    title: 'requests with false framing',
    story:
      'Chunks, two lengths, smuggled requests, gzip, 50 MB, 10 000 parts: 400 in the contract’s format, nothing stored, memory released, a smuggled request never runs',
    isQuick: true,
    async run(h) {
      const { api } = await h.start();
      const owner = await h.owner(letter, { credits: 5, templates: 2 });
      const before = residentBytes(api.pid);
      for (const { what, headers, body } of frames) {
        const target = `POST /v1/templates/${owner.templateId}/generate`;
        expectEqual(await statusOf(h, owner, target, headers, body()), 400, `generate: ${what}`);
      }
      for (const { what, headers, body } of uploads) {
        for (const target of ['POST /v1/templates', `PUT /v1/templates/${owner.templateId}/content`])
          expectEqual(await statusOf(h, owner, target, headers, body()), 400, `${target}: ${what}`);
      }
      await smuggle(h, owner);
      expectEqual(await owner.client.quotas(), { docs: 5, templates: 1 }, 'what is left');
      const { body } = await owner.client.call('GET', `/v1/templates/${owner.templateId}/content`);
      expect(body.equals(letter), 'the template is another one');
      await until('the memory being back', () => residentBytes(api.pid) < before * 1.2 + 150 * megabyte, 20_000, 500);
    },
  },
];
