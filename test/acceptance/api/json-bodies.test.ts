import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { letter, megabyte } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
let id: string;
let charged = 0;

beforeAll(async () => {
  client = await newClient({ docs: 100 });
  id = (await client.template('a.docx', letter('[{name}]'))).id;
});

afterEach(async () => {
  expect((await client.quotas()).remaining.total.docs).toBe(100 - charged);
});

async function post(body: string | Uint8Array, type: string | undefined = 'application/json') {
  const bytes = new Uint8Array(Buffer.from(body));
  const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
  return client.call('POST', `/v1/templates/${id}/generate`, { body: bytes, headers });
}

async function textOf(body: string | Uint8Array, type?: string) {
  const answer = await post(body, type);
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(200);
  charged += 1;
  return docxText(answer.bytes);
}

describe('the type of the body', () => {
  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset=x'])(
    '%s is accepted',
    async (type) => {
      expect(await textOf('{"data":{"name":"Ada"}}', type)).toBe('[Ada]');
    },
  );

  test.each(['', 'text/plain', 'application/jsonp', 'application/json2', 'application/x-www-form-urlencoded', 'json'])(
    '"%s" is refused',
    async (type) => {
      expectProblem(await post('{"data":{}}', type), 400, /Content-Type .* must be application\/json/);
    },
  );
});

test('nothing is named as such', async () => {
  expectProblem(await post(''), 400, /The request body is empty/);
});

test.each([
  ['a space', ' '],
  ['a word', 'data'],
  ['an open object', '{'],
  ['an open string', '{"data":{"a":"'],
  ['a missing value', '{"data":}'],
  ['a missing colon', '{"data" {}}'],
  ['a trailing comma', '{"data":{},}'],
  ['a double comma', '{"data":{},,"output":{}}'],
  ['two values', '{"data":{}}{}'],
  ['an extra bracket', '{"data":{}}]'],
  ['crossed brackets', '{"data":[}]'],
  ['single quotes', "{'data':{}}"],
  ['a bare key', '{data:{}}'],
  ['a comment', '{"data":{}/* x */}'],
  ['NaN', '{"data":{"a":NaN}}'],
  ['Infinity', '{"data":{"a":-Infinity}}'],
  ['a leading zero', '{"data":{"a":012}}'],
  ['a leading plus', '{"data":{"a":+1}}'],
  ['a bare fraction', '{"data":{"a":.5}}'],
  ['an open fraction', '{"data":{"a":1.}}'],
  ['an open exponent', '{"data":{"a":1e}}'],
  ['a hex number', '{"data":{"a":0x1F}}'],
  ['a bad escape', '{"data":{"a":"\\x41"}}'],
  ['a short escape', '{"data":{"a":"\\u00"}}'],
  ['a raw line end in a string', '{"data":{"a":"\n"}}'],
  ['a raw null in a string', '{"data":{"a":"\0"}}'],
  ['a capital TRUE', '{"data":{"a":TRUE}}'],
  ['a form feed between values', '{\f"data":{}}'],
  ['a non-breaking space between values', '{\u00a0"data":{}}'],
])('%s is not valid JSON', async (_name, body) => {
  expectProblem(await post(body), 400, /not valid JSON/);
});

test.each([
  ['a lone continuation byte', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a half surrogate', [0xed, 0xa0, 0x80]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['a cut off character', [0xe2, 0x82]],
  ['UTF-16', [0xfe, 0xff]],
])('%s is not valid UTF-8', async (_name, bytes) => {
  const body = Buffer.concat([Buffer.from('{"data":{"name":"'), Buffer.from(bytes), Buffer.from('"}}')]);
  expectProblem(await post(body), 400, /not valid UTF-8/);
});

test.each([
  ['an array', '[]', 'body'],
  ['a text', '"data"', 'body'],
  ['null', 'null', 'body'],
  ['a number', '1', 'body'],
  ['no data', '{}', 'data'],
  ['data that is null', '{"data":null}', 'data'],
  ['data that is an array', '{"data":[]}', 'data'],
  ['data that is a text', '{"data":"x"}', 'data'],
  ['a __proto__ beside data', '{"data":{},"__proto__":{"data":{}}}', '__proto__'],
  ['a __proto__ instead of data', '{"__proto__":{"data":{}}}', 'data'],
  ['an unknown field', '{"data":{},"ouput":{}}', 'ouput'],
  ['output that is an array', '{"data":{},"output":[]}', 'output'],
  ['an unknown output field', '{"data":{},"output":{"fomat":"pdf"}}', 'output.fomat'],
  ['an unknown format', '{"data":{},"output":{"format":"odt"}}', 'output.format'],
  ['a format in capitals', '{"data":{},"output":{"format":"PDF"}}', 'output.format'],
  ['a filename that is a number', '{"data":{},"output":{"filename":1}}', 'output.filename'],
  ['an empty filename', '{"data":{},"output":{"filename":""}}', 'output.filename'],
  ['email without recipients', '{"data":{},"output":{"email":{}}}', 'output.email.to'],
  ['a __proto__ field', '{"data":{},"output":{"__proto__":{"format":"pdf"}}}', 'output.__proto__'],
])('%s is refused by its field', async (_name, body, path) => {
  const { details } = expectProblem(await post(body), 400);
  expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'Field', path })]));
});

test('all invalid fields are reported together', async () => {
  const output = { format: 'x', filename: 5, email: { to: 'a@example.com', subject: 7, body: '' }, more: 1 };
  const { details } = expectProblem(await client.generate(id, { data: [], output }), 400);
  expect(details?.map(({ path }) => path).sort()).toEqual([
    'data',
    'output.email.body',
    'output.email.subject',
    'output.email.to',
    'output.filename',
    'output.format',
    'output.more',
  ]);
});

describe('unusual but valid JSON', () => {
  test('the last of several equal keys counts', async () => {
    expect(await textOf('{"data":{"name":"one"},"data":{"name":"first","name":"last"}}')).toBe('[last]');
  });

  test('a key written with escapes is the same key', async () => {
    expect(await textOf('{"d\\u0061ta":{"n\\u0061me":"\\ud83d\\ude00 \\u00e4"}}')).toBe('[😀 ä]');
  });

  test.each([
    ['9007199254740991', '9007199254740991'],
    ['"12345678901234567890"', '12345678901234567890'],
    ['-0', '0'],
    ['1e-7', '1e-7'],
    ['true', 'true'],
    ['null', ''],
    ['[1,2]', '1, 2'],
  ])('%s prints %s', async (value, printed) => {
    expect(await textOf(`{"data":{"name":${value}}}`)).toBe(`[${printed}]`);
  });

  test.each(['1e999', '-1e999', '12345678901234567890', '[1,9007199254740993]'])(
    '%s is rejected where it is printed',
    async (value) => {
      const { details } = expectProblem(await post(`{"data":{"name":${value}}}`), 400);
      expect(details).toEqual([expect.objectContaining({ type: 'Field', path: 'data.name' })]);
    },
  );

  test('__proto__ and constructor are ordinary data', async () => {
    const data = '{"__proto__":{"name":"polluted"},"constructor":{"prototype":{"name":"polluted"}}}';
    expect(await textOf(`{"data":${data}}`)).toBe('[]');
    expect(await textOf('{"data":{}}')).toBe('[]');
  });
});

describe('size and depth', () => {
  const padded = (sizeBytes: number) => {
    const frame = '{"data":{"name":"Ada","rest":""}}';
    return frame.replace('""', `"${'x'.repeat(sizeBytes - frame.length)}"`);
  };
  const nested = (open: string, close: string, depth: number) =>
    `{"data":{"a":${open.repeat(depth)}1${close.repeat(depth)}}}`;

  test('10 MB is accepted', async () => {
    expect(await textOf(padded(10 * megabyte))).toBe('[Ada]');
  });

  test('one byte more is rejected', async () => {
    expectProblem(await post(padded(10 * megabyte + 1)), 400, /larger than 10 MB/);
  });

  test('62 nested arrays in data are accepted, 63 are rejected', async () => {
    expect(await textOf(nested('[', ']', 62))).toBe('[]');
    expectProblem(await post(nested('[', ']', 63)), 400, /deeper than 64 levels/);
    expectProblem(await post(nested('{"a":', '}', 63)), 400, /deeper than 64 levels/);
  });

  test.each([
    ['open arrays', '['.repeat(1_000_000)],
    ['open objects', '{"a":'.repeat(1_000_000)],
    ['closed arrays', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  ])('a million %s are refused at once', async (_name, body) => {
    expectProblem(await post(body), 400, /deeper than 64 levels/);
  });
});

describe('rename', () => {
  test.each([
    ['{}', 'name'],
    ['{"name":null}', 'name'],
    ['{"name":"a.doc"}', 'name'],
    ['{"name":".docx"}', 'name'],
    ['{"name":"../a.docx"}', 'name'],
    ['{"name":"a\\u0000.docx"}', 'name'],
    ['{"name":"a\\ud800.docx"}', 'name'],
    ['{"name":"a\\u202excod.docx"}', 'name'],
    ['{"name":"a.docx","version":2}', 'version'],
    ['[]', 'body'],
  ])('%s is refused by its field', async (body, path) => {
    const headers = { 'Content-Type': 'application/json' };
    const { details } = expectProblem(await client.call('PUT', `/v1/templates/${id}`, { body, headers }), 400);
    expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'Field', path })]));
    expect((await client.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ name: 'a.docx', version: 1 });
  });
});
