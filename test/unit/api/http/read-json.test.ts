import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Hono } from 'hono';
import { afterAll, describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { createJsonParser } from '../../../../src/api/http/json-parser.ts';
import { type JsonBody, readJson } from '../../../../src/api/http/read-json.ts';

const parser = createJsonParser();
afterAll(() => parser.close());

/** Sends a body in chunks of 64 KB, as sockets do. Its length is not declared when `isDeclared` is false. */
async function read(body: Buffer, isDeclared = true, type = 'application/json'): Promise<JsonBody | string> {
  const app = new Hono<ApiEnv>();
  let found: JsonBody | undefined;
  app.post('/', async (c) => {
    c.set('accountId', 'acc_1');
    c.set('bodyLease', { take: () => undefined, schedule: (resume) => void setImmediate().then(resume) });
    found = await readJson(c, parser);
    return c.text('');
  });
  app.onError((error, c) => c.text(error.message, 400));
  const chunks = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, index) =>
    body.subarray(index * 65_536, (index + 1) * 65_536),
  );
  const headers = isDeclared ? { 'content-length': String(body.length) } : {};
  const incoming = Object.assign(Readable.from(chunks), { headers });
  const init = { method: 'POST', headers: { 'Content-Type': type } };
  const response = await app.request('/', init, { incoming: incoming as unknown as IncomingMessage });
  return found ?? (await response.text());
}

it.each([
  ['{"a":1,}', 7],
  ['{"name":"Zoë 😀",}', Buffer.byteLength('{"name":"Zoë 😀",')],
  ['["é', Buffer.byteLength('["é')],
  ['nul', 3],
  ['\uFEFF{"a":1,}', 10],
])('the message about %s counts bytes: the error is at byte %i', async (body, offset) => {
  expect(await read(Buffer.from(body))).toBe(`The request body is not valid JSON (at byte ${offset})`);
});

it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset=x'])(
  'a valid body with the type %s is parsed',
  async (type) => {
    expect(await read(Buffer.from('{"name":"Zoë"}'), true, type)).toMatchObject({ value: { name: 'Zoë' } });
  },
);

it.each(['', 'text/plain', 'application/jsonp', 'application/json2', 'application/x-www-form-urlencoded', 'json'])(
  'a body with the type "%s" is refused',
  async (type) => {
    expect(await read(Buffer.from('{}'), true, type)).toBe('The Content-Type of this request must be application/json');
  },
);

it('one byte order mark is ignored at the beginning', async () => {
  expect(await read(Buffer.from('\uFEFF{"a":1}'))).toMatchObject({ value: { a: 1 } });
  for (const body of ['\uFEFF\uFEFF{}', '{\uFEFF"a":1}', '{}\uFEFF', '\uFEFF'])
    expect(await read(Buffer.from(body)), body).toMatch(/is not valid JSON/);
});

it('the error says when a body is empty, or compressed without a Content-Encoding', async () => {
  expect(await read(Buffer.alloc(0))).toBe('The request body is empty');
  const gzip = Buffer.from([0x1f, 0x8b, 0x08, 0]);
  expect(await read(gzip)).toBe('The request body is compressed. Send it with Content-Encoding: gzip');
});

it.each([
  ' ',
  '{"data":{"a":"',
  '{"data":{},,"output":{}}',
  '{"data":{}}{}',
  '{"data":{}}]',
  "{'data':{}}",
  '{data:{}}',
  '{"data":{}/* x */}',
  '{"data":{"a":NaN}}',
  '{"data":{"a":-Infinity}}',
  '{"data":{"a":+1}}',
  '{"data":{"a":.5}}',
  '{"data":{"a":0x1F}}',
  '{"data":{"a":"\\u00"}}',
  '{"data":{"a":"\0"}}',
  '{"data":{"a":TRUE}}',
  '{\f"data":{}}',
  '{\u00a0"data":{}}',
])('%j is not valid JSON', async (body) => {
  expect(await read(Buffer.from(body))).toMatch(/^The request body is not valid JSON \(at byte \d+\)$/);
});

it.each([
  ['a lone continuation byte', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a half surrogate', [0xed, 0xa0, 0x80]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['a cut off character', [0xe2, 0x82]],
  ['UTF-16', [0xfe, 0xff]],
])('%s is not valid UTF-8', async (_name, bytes) => {
  const body = Buffer.concat([Buffer.from('{"data":"'), Buffer.from(bytes), Buffer.from('"}')]);
  expect(await read(body)).toBe('The request body is not valid UTF-8');
});

it('64 levels of nesting are accepted, and 65 or a million are refused', async () => {
  const nested = (open: string, close: string, depth: number) => Buffer.from(open.repeat(depth) + close.repeat(depth));
  expect(await read(nested('[', ']', 64))).toMatchObject({ data: undefined });
  for (const body of [nested('[', ']', 65), nested('{"a":[', ']}', 33), nested('[', '', 1e6), nested('{"a":', '', 1e6)])
    expect(await read(body)).toBe('The request body nests deeper than 64 levels');
});

it('10 MB are accepted, and one byte more is refused', async () => {
  const body = Buffer.alloc(10 * 1024 * 1024, ' ');
  body.write('{}');
  expect(await read(body)).toMatchObject({ value: {} });
  expect(await read(Buffer.concat([body, Buffer.from(' ')]))).toBe('The request body is larger than 10 MB');
});

describe.each([
  ['with its length', true],
  ['without its length', false],
])('a large body %s', (_name, isDeclared) => {
  const filler = 'ä'.repeat(500_000);
  const readText = (text: string) => read(Buffer.from(text), isDeclared);

  it.each([
    ['an object', `{"items":["${filler}"],"n":1}`, {}],
    ['an array', `["${filler}"]`, []],
    ['a string', `"${filler}"`, ''],
  ])('keeps the text of its data and leaves an empty value in its place: %s', async (_kind, data, emptied) => {
    const bytes = Buffer.from(`\uFEFF{"output":{"format":"pdf"},"data": ${data} }`);
    const body = await read(bytes, isDeclared);
    if (typeof body === 'string') throw new Error(body);
    expect(body.value).toEqual({ output: { format: 'pdf' }, data: emptied });
    expect(body.data?.toString().trim() === data).toBe(true);
    expect(Buffer.compare(body.bytes, bytes)).toBe(0);
  });

  it('keeps other members', async () => {
    const body = await readText(`{"name":"${filler}"}`);
    expect(body).toMatchObject({ value: { name: filler }, data: undefined });
  });

  it('is rejected with the same error as a small one', async () => {
    const invalid = `{"data":"${filler}",}`;
    expect(await readText(invalid)).toBe(
      `The request body is not valid JSON (at byte ${Buffer.byteLength(invalid) - 1})`,
    );
    expect(await readText(`{"data":${'['.repeat(65)}"${filler}"${']'.repeat(65)}}`)).toBe(
      'The request body nests deeper than 64 levels',
    );
    expect(await read(Buffer.alloc(600_000, 0xff), isDeclared)).toBe('The request body is not valid UTF-8');
  });
});

it.each([
  ['empty objects', '{},', '{}'],
  ['empty arrays', '[],', '[]'],
  ['objects that share no key', undefined, '{}'],
])('a body with 10 MB of nothing but %s is parsed', async (_name, item, last) => {
  const sizeBytes = 10 * 1024 * 1024 - 20;
  const items =
    item === undefined
      ? Array.from({ length: 700_000 }, (_, index) => `{"k${index}":0},`).join('')
      : item.repeat(Math.floor(sizeBytes / item.length) - 10);
  const body = Buffer.from(`{"data":[${items}${last}]}`);
  expect(body.length).toBeGreaterThan(8_000_000);
  expect(await read(body)).toMatchObject({ value: { data: [] } });
});

it('other work continues while a large body is parsed', async () => {
  const body = Buffer.from(JSON.stringify({ data: Array.from({ length: 200_000 }, (_, index) => ({ index })) }));
  const text = Buffer.from(new SharedArrayBuffer(body.length));
  body.copy(text);
  let isParsed = false;
  void parser.parse('acc_1', text).finally(() => {
    isParsed = true;
  });
  let turns = 0;
  for (; !isParsed; turns++) await setImmediate();
  expect(turns).toBeGreaterThan(10);
});
