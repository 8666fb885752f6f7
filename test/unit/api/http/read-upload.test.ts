import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUpload, requireFile, type Upload } from '../../../../src/api/http/read-upload.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import { volume } from '../../../support/extended.ts';

const boundary = 'x';
const megabyte = 1024 * 1024;
const limits = { fileBytes: 10 * megabyte, json: { sampleData: 1_024 } } as const;
const disposition = (name: string, rest = '') => `Content-Disposition: form-data; name="${name}"${rest}`;
const heads = {
  name: disposition('name'),
  file: disposition('file', '; filename="a.docx"'),
  sample: disposition('sampleData'),
  'sample file': disposition('sampleData', '; filename="data.json"'),
  delimiters: disposition('delimiters'),
  'name as a file': disposition('name', '; filename=""'),
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

function upload(
  body: string,
  chunkBytes = 65_536,
  type = `multipart/form-data; boundary=${boundary}`,
): Promise<Upload> {
  const bytes = Buffer.from(body, 'latin1');
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, at + chunkBytes)));
      at += chunkBytes;
    },
  });
  return readUpload(
    { type, body: stream as AsyncIterable<Uint8Array> },
    { take: () => undefined, schedule: (resume) => resume() },
    limits,
  );
}

const large = 'z'.repeat(40_000);

test.each([1, 7, 65_536, 1_000_000])('name and file are read from chunks of %i bytes', async (chunkBytes) => {
  const body = `${part('name', 'a.docx')}${part('file', 'PK\r\n--\r\n--y')}--${boundary}--\r\n`;
  expect(await upload(body, chunkBytes)).toEqual({ name: 'a.docx', file: Buffer.from('PK\r\n--\r\n--y') });
});

const end = `--${boundary}--\r\n`;
const [name, file] = [part('name', 'a.docx'), part('file', 'PK')];

describe('a form', () => {
  test.each<[string, string, object]>([
    [
      'the file before the name, other fields, a preamble and an epilogue',
      `preamble\r\n${part('other field', 'x')}${file}${name}${end}epilogue`,
      { name: 'a.docx' },
    ],
    ['no file name', `${name}${part('file without a name', 'PK')}${end}`, { name: 'a.docx' }],
    ['another kind of file', `${part('other file', 'x')}${file}${end}`, {}],
    ['JSON as a field', `${file}${part('sample', '{}')}${end}`, { sampleData: Buffer.from('{}') }],
    ['JSON as a file', `${part('sample file', '{}')}${file}${end}`, { sampleData: Buffer.from('{}') }],
    ['a part header of a megabyte', `--x\r\nX: ${'y'.repeat(megabyte)}\r\n\r\nz\r\n${file}${end}`, {}],
    ['how tags are written', `${part('delimiters', '<< >>')}${file}${end}`, { delimiters: '<< >>' }],
  ])('may have %s', async (_what, body, fields) => {
    expect(await upload(body)).toEqual({ file: Buffer.from('PK'), ...fields });
  });

  test.each(['multipart/form-data; charset=utf-8; boundary="x"', 'Multipart/Form-Data; Boundary=x'])(
    'may have the type %s',
    async (type) => expect(await upload(name + file + end, 1, type)).toMatchObject({ name: 'a.docx' }),
  );

  test.each<[string, string, string]>([
    ['two names', name + name + file + end, 'name: is given more than once'],
    ['a long name', part('name', 'a'.repeat(4_097)) + file + end, 'name: is too long'],
    ['a very long name', part('name', 'a'.repeat(100_000)) + file + end, 'name: is too long'],
    [
      'a name that is a file',
      part('name as a file', 'a') + file + end,
      'name: is sent as a file. Send it as a text field, without a filename',
    ],
    ['two files', file + file + end, 'file: more than one file is given'],
    [
      'JSON twice',
      file + part('sample', '{}') + part('sample file', '{}') + end,
      'sampleData: is given more than once',
    ],
    ['too much JSON', file + part('sample', ' '.repeat(1_025)) + end, 'sampleData: is larger than 1 KB'],
    ['10 000 fields', part('other field', 'x').repeat(10_000) + file + end, 'The form has too many fields'],
    ['10 000 files', part('other file', 'x').repeat(10_000) + file + end, 'The form has too many files'],
  ])('is refused with %s', async (_what, body, message) => {
    await expect(upload(body)).rejects.toMatchObject({ code: 'invalid_request', message });
  });

  test.each([
    '',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/mixed; boundary=x',
    'multipart/form-data',
    'xmultipart/form-data; boundary=x',
  ])('is refused with the type "%s"', async (type) => {
    const message = 'The Content-Type of this request must be multipart/form-data with a boundary';
    await expect(upload(name + file + end, 1_000, type)).rejects.toMatchObject({ code: 'invalid_request', message });
  });

  test.each(['multipart/form-data; boundary=', 'multipart/form-data; xboundary=x'])(
    'is refused with the type "%s", which has no boundary',
    async (type) => expect(upload(name + file + end, 1_000, type)).rejects.toThrow(/boundary|broken/),
  );

  test.each([
    ['nothing', ''],
    ['another boundary', name.replace('--x', '--y')],
    ['the end within a part header', `${name}--x\r\nContent-Dispo`],
    ['the end within a field', name.slice(0, -4)],
    ['the end within a large file', part('file', 'z'.repeat(300_000)).slice(0, -4)],
    ['no end', name + file],
  ])('is refused with %s', async (_what, body) => {
    await expect(upload(body)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The multipart/form-data body is broken or cut off',
    });
  });

  test('may have a file of 10 MB, and not a byte more', async () => {
    const most = 'z'.repeat(10 * megabyte);
    expect((await upload(part('file', most) + end)).file).toHaveLength(most.length);
    const tooLarge = { code: 'invalid_request', message: 'file: is larger than 10 MB' };
    await expect(upload(part('file', `${most}z`) + end)).rejects.toMatchObject(tooLarge);
    await expect(upload(part('file', `${most}${most}`) + end)).rejects.toMatchObject(tooLarge);
  });

  test('needs a file with content', () => {
    expect(() => requireFile(undefined)).toThrow('file: is missing');
    expect(() => requireFile(Buffer.alloc(0))).toThrow('file: is empty');
    expect(requireFile(Buffer.from('PK')).toString()).toBe('PK');
  });
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
  const ending = fc.constantFrom(`--${boundary}--\r\n`, `--${boundary}--\r\nepilogue${large}`, `--${boundary}`, '');
  const chunkBytes = fc.constantFrom(97, 1_024, 65_536, 1_000_000);
  const cut = fc.double({ min: 0, max: 1, noNaN: true });
  const isCut = fc.boolean();
  await fc.assert(
    fc.asyncProperty(parts, ending, chunkBytes, cut, isCut, async (list, last, size, share, isShort) => {
      const body = list.map(([head, text]) => part(head, text)).join('') + last;
      const sent = isShort ? body.slice(0, Math.floor(body.length * share)) : body;
      const outcome = await upload(sent, size).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(AppError);
        expect((outcome as AppError).code).toBe('invalid_request');
      }
    }),
    { numRuns: volume(100, 1_000), timeout: 5_000 },
  );
});
