import { connectRaw } from '../../../support/client/raw-http.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { residentBytes } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const megabyte = 1024 * 1024;
const json = 'Content-Type: application/json';
const chunks = 'Transfer-Encoding: chunked';
const nameField = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\na.docx\r\n';
const fileHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\n';

/** Sends raw bytes and returns the status of the first answer; 0 without an answer. */
async function statusOf(
  h: Harness,
  { account }: Owner,
  target: string,
  headers: readonly string[],
  body: string,
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
  await connection.send(`${[...fixed, ...headers].join('\r\n')}\r\n\r\n`, body);
  const status = await asking;
  connection.close();
  return status;
}

const ownLength = (bytes: number): string => `Content-Length: ${bytes}`;

const frames: readonly (readonly [what: string, headers: readonly string[], body: string])[] = [
  ['a length that is not a number', ['Content-Length: 1e1'], '{"data":{}}'],
  ['a negative length', ['Content-Length: -1'], '{"data":{}}'],
  ['two lengths', [ownLength(11), ownLength(2)], '{"data":{}}'],
  ['a chunk that is too long', [chunks], 'fffffffffffffffff\r\n{"data":{}}\r\n0\r\n\r\n'],
  ['a chunk size that is not a number', [chunks], 'xyz\r\n{}\r\n0\r\n\r\n'],
  ['an unknown coding', ['Transfer-Encoding: xchunked', ownLength(11)], '{"data":{}}'],
];

const parts = (count: number, head: string): string => `${head}\r\n\r\nx\r\n`.repeat(count);

/** Parts before those of a good form. */
const oddParts: readonly (readonly [what: string, before: string])[] = [
  ['10 000 fields', parts(10_000, '--b\r\nContent-Disposition: form-data; name="f"')],
  ['10 000 files', parts(10_000, '--b\r\nContent-Disposition: form-data; name="f"; filename="x"')],
  ['a header of 1 MB', parts(1, `--b\r\nX-Long: ${'x'.repeat(megabyte)}`)],
  ['10 000 headers', parts(1, `--b\r\n${'X-A: b\r\n'.repeat(10_000)}X-B: c`)],
  ['a form within the form', parts(1, '--b\r\nContent-Type: multipart/mixed; boundary=c')],
];

const codings = ['chunked', 'Chunked', ' chunked', 'chunked, identity', 'identity, chunked', '\tchunked', '"chunked"'];

/** Smuggles a second request behind two lengths. Whichever the server uses, it must not execute that request. */
async function smuggle(h: Harness, owner: Owner): Promise<void> {
  const hidden = `DELETE /v1/templates/${owner.templateId} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner.account.apiKey}\r\n\r\n`;
  for (const coding of codings) {
    const headers = [json, `Transfer-Encoding:${coding}`, ownLength(5 + hidden.length)];
    await statusOf(h, owner, `POST /v1/templates/${owner.templateId}/generate`, headers, `0\r\n\r\n${hidden}`);
    const still = await owner.client.call('GET', `/v1/templates/${owner.templateId}`);
    expectEqual(still.status, 200, `the template after a request hidden behind "${coding}"`);
  }
}

export const hostileBodyRows: readonly Row[] = [
  {
    id: 'A4',
    title: 'requests with false framing',
    story:
      'False lengths and chunks, smuggled requests, 10 000 parts: 400 in the contract’s format, nothing stored, memory released, a smuggled request never runs',
    async run(h) {
      const { api } = await h.start();
      const owner = await h.owner(letter, { credits: 5, templates: 2 });
      const before = residentBytes(api.pid);
      for (const [what, headers, body] of frames) {
        const target = `POST /v1/templates/${owner.templateId}/generate`;
        expectEqual(await statusOf(h, owner, target, [json, ...headers], body), 400, `generate: ${what}`);
      }
      for (const [what, odd] of oddParts) {
        const body = `${odd}${nameField}${fileHead}\r\n--b--\r\n`;
        const headers = ['Content-Type: multipart/form-data; boundary=b', ownLength(body.length)];
        for (const target of ['POST /v1/templates', `PUT /v1/templates/${owner.templateId}/content`])
          expectEqual(await statusOf(h, owner, target, headers, body), 400, `${target}: ${what}`);
      }
      await smuggle(h, owner);
      expectEqual(await owner.client.quotas(), { docs: 5, templates: 1 }, 'what is left');
      const { body } = await owner.client.call('GET', `/v1/templates/${owner.templateId}/content`);
      expect(body.equals(letter), 'the template is another one');
      await until('the memory being back', () => residentBytes(api.pid) < before * 1.2 + 150 * megabyte);
    },
  },
];
