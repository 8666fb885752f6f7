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

/** Sends a body in chunks of 64 KB, as sockets do; without its length when `isDeclared` is false. */
async function read(body: Buffer, isDeclared = true): Promise<JsonBody | string> {
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
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
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

it('a valid body is parsed', async () => {
  expect(await read(Buffer.from('{"name":"Zoë"}'))).toMatchObject({ value: { name: 'Zoë' } });
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
  ])('has the text of its data, and an empty value: %s', async (_kind, data, emptied) => {
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

  it('is rejected like a small one', async () => {
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
])('a body of 10 MB that is nothing but %s is parsed', async (_name, item, last) => {
  const sizeBytes = 10 * 1024 * 1024 - 20;
  const items =
    item === undefined
      ? Array.from({ length: 700_000 }, (_, index) => `{"k${index}":0},`).join('')
      : item.repeat(Math.floor(sizeBytes / item.length) - 10);
  const body = Buffer.from(`{"data":[${items}${last}]}`);
  expect(body.length).toBeGreaterThan(8_000_000);
  expect(await read(body)).toMatchObject({ value: { data: [] } });
});

it('other work goes on while a large body is parsed', async () => {
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
