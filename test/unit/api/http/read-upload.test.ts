import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUpload, type Upload } from '../../../../src/api/http/read-upload.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import { volume } from '../../../support/extended.ts';

const boundary = 'x';
const disposition = (name: string, rest = '') => `Content-Disposition: form-data; name="${name}"${rest}`;
const heads = {
  name: disposition('name'),
  file: disposition('file', '; filename="a.docx"'),
  'file without a name': `${disposition('file')}\r\nContent-Type: application/octet-stream`,
  'other file': disposition('other', '; filename="b"'),
  'other field': disposition('__proto__'),
  'no disposition': 'X: y',
  'no header': '',
  attachment: 'Content-Disposition: attachment',
  nameless: 'Content-Disposition: form-data',
  'line end in the name': disposition('a\nb', '; filename="c"'),
  'extended name': "Content-Disposition: form-data; name*=utf-8''%ff",
  'extended filename': disposition('file', "; filename*=UTF-8''%zz"),
  'unknown charset': `${disposition('name')}\r\nContent-Type: text/plain; charset=nonsense`,
  'odd type': `${disposition('name')}\r\nContent-Type: ;;;charset`,
  nested: `${disposition('name')}\r\nContent-Type: multipart/mixed; boundary=y`,
} as const;
type Head = keyof typeof heads;

function part(head: Head, content: string): string {
  return `--${boundary}\r\n${heads[head]}\r\n\r\n${content}\r\n`;
}

function upload(body: string, chunkBytes: number): Promise<Upload> {
  const bytes = Buffer.from(body, 'latin1');
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, at + chunkBytes)));
      at += chunkBytes;
    },
  });
  const type = `multipart/form-data; boundary=${boundary}`;
  return readUpload(
    { type, body: stream as AsyncIterable<Uint8Array> },
    { take: () => undefined, schedule: (resume) => resume() },
  );
}

const large = 'z'.repeat(40_000);

test.each([1, 7, 65_536, 1_000_000])('name and file are read from chunks of %i bytes', async (chunkBytes) => {
  const body = `${part('name', 'a.docx')}${part('file', 'PK\r\n--\r\n--y')}--${boundary}--\r\n`;
  expect(await upload(body, chunkBytes)).toEqual({ name: 'a.docx', file: Buffer.from('PK\r\n--\r\n--y') });
});

describe('bodies that once stalled the parser', () => {
  test.each([
    ['a file that is cut off', part('name', 'a.docx') + part('file', large).slice(0, -100), /broken or cut off/],
    ['a second large file', `${part('file', large)}${part('file', large)}--${boundary}--`, /more than one file/],
    [
      'a large part without a disposition',
      `${part('no disposition', large)}${part('file', large)}--${boundary}--`,
      undefined,
    ],
  ])('%s', async (_name, body, message) => {
    for (const chunkBytes of [1_000, 65_536, 1_000_000]) {
      if (message === undefined) expect((await upload(body, chunkBytes)).file).toHaveLength(large.length);
      else await expect(upload(body, chunkBytes)).rejects.toThrow(message);
    }
  });
});

test('any input, in chunks of any size, yields a form or an error', { timeout: 60_000 }, async () => {
  const content = fc.constantFrom('', 'a.docx', '\r\n--', `\r\n--${boundary}`, 'z'.repeat(17_000), large);
  const parts = fc.array(fc.tuple(fc.constantFrom(...(Object.keys(heads) as Head[])), content), { maxLength: 6 });
  const end = fc.constantFrom(`--${boundary}--\r\n`, `--${boundary}--\r\nepilogue${large}`, `--${boundary}`, '');
  const chunkBytes = fc.constantFrom(97, 1_024, 65_536, 1_000_000);
  const cut = fc.double({ min: 0, max: 1, noNaN: true });
  const isCut = fc.boolean();
  await fc.assert(
    fc.asyncProperty(parts, end, chunkBytes, cut, isCut, async (list, last, size, share, isShort) => {
      const body = list.map(([head, text]) => part(head, text)).join('') + last;
      const sent = isShort ? body.slice(0, Math.floor(body.length * share)) : body;
      const outcome = await upload(sent, size).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(AppError);
        expect((outcome as AppError).code).toBe('invalid_request');
      }
    }),
    { numRuns: volume(100, 2_000), timeout: 5_000 },
  );
});
