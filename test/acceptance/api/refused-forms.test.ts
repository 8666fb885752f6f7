import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, type TemplateMetadata, uploadForm } from '../../support/client/api-client.ts';
import { chunked, connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { fileHead, formOf, nameHead, ownBoundary, type Part, rawBody, streamOf } from './form-bodies.ts';
import { letter, letterOfSize, megabyte } from './samples.ts';

const { newClient, url } = await useService(inject('stack'));
const file = letter('Dear {name}');
let client: TestClient;
let kept: TemplateMetadata;

beforeAll(async () => {
  client = await newClient();
  kept = await client.template('kept.docx', file);
});

const uploads: readonly [operation: string, method: string, path: () => string][] = [
  ['upload', 'POST', () => '/v1/templates'],
  ['re-upload', 'PUT', () => `/v1/templates/${kept.id}/content`],
];

describe.each(uploads)('%s', (_operation, method, path) => {
  const send = (body: RequestInit['body'], headers = {}) => client.call(method, path(), { body, headers });

  /** Nothing is stored, charged or changed by a refusal. */
  afterEach(async () => {
    expect((await client.call('GET', '/v1/templates')).json<unknown[]>()).toHaveLength(1);
    expect((await client.call('GET', `/v1/templates/${kept.id}`)).json()).toMatchObject({
      name: 'kept.docx',
      version: 1,
    });
    expect((await client.call('GET', `/v1/templates/${kept.id}/content`)).bytes.equals(file)).toBe(true);
    expect((await client.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 49 });
  });

  test.each([
    ['a.doc', /must end with \.docx/],
    ['a.docx.pdf', /must end with \.docx/],
    ['a.docx ', /must end with \.docx/],
    ['.docx', /must end with \.docx/],
    ['docx', /must end with \.docx/],
    ['', /must end with \.docx/],
    ['../a.docx', /path/],
    ['C:\\a.docx', /path/],
    [`${'a'.repeat(196)}.docx`, /longer than 200/],
    ['a\0.docx', /control/],
    ['a\u202excod.docx', /control/],
    ['a\ufffe.docx', /control/],
    ['a'.repeat(100_000), /too long/],
  ])('the name %.20j is refused', async (name, message) => {
    const { details } = expectProblem(await send(uploadForm(name, file)), 400, message);
    expect(details).toMatchObject([{ type: 'Field', path: 'name' }]);
  });

  test.each<[string, string, readonly Part[]]>([
    ['no name', 'name', [['file', file, 'a.docx']]],
    [
      'two names',
      'name',
      [
        ['name', 'a.docx'],
        ['name', 'b.docx'],
        ['file', file, 'a.docx'],
      ],
    ],
    ['no file', 'file', [['name', 'a.docx']]],
    [
      'an empty file',
      'file',
      [
        ['name', 'a.docx'],
        ['file', '', 'a.docx'],
      ],
    ],
    [
      'a file of another name',
      'file',
      [
        ['name', 'a.docx'],
        ['document', file, 'a.docx'],
      ],
    ],
    [
      'two files',
      'file',
      [
        ['name', 'a.docx'],
        ['file', file, 'a.docx'],
        ['file', file, 'b.docx'],
      ],
    ],
    [
      'two files, one large',
      'file',
      [
        ['name', 'a.docx'],
        ['file', file, 'a.docx'],
        ['file', Buffer.alloc(200_000), 'b.docx'],
      ],
    ],
    [
      'a name that is a file',
      'name',
      [
        ['name', 'a.docx', 'name.txt'],
        ['file', file, 'a.docx'],
      ],
    ],
  ])('%s', async (_name, path, parts) => {
    expect(expectProblem(await send(formOf(parts)), 400).details).toMatchObject([{ type: 'Field', path }]);
  });

  test.each<[string, readonly Part[]]>([
    ['10 000 fields', Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 'x'])],
    ['10 000 files', Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 'x', 'x'])],
  ])('%s are too many', async (_name, parts) => {
    expectProblem(
      await send(formOf([['name', 'a.docx'], ...parts, ['file', file, 'a.docx']])),
      400,
      /too many|more than one/,
    );
  });

  test.each([
    ['no type', {}],
    ['JSON', { 'Content-Type': 'application/json' }],
    ['a form that is not multipart', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['multipart of another kind', { 'Content-Type': 'multipart/mixed; boundary=x' }],
    ['no boundary', { 'Content-Type': 'multipart/form-data' }],
    ['an empty boundary', { 'Content-Type': 'multipart/form-data; boundary=' }],
    ['a parameter like a boundary', { 'Content-Type': 'multipart/form-data; xboundary=x' }],
  ])('%s', async (_name, headers) => {
    const body = new Uint8Array(rawBody(nameHead, 'a.docx\r\n', fileHead, file, '\r\n--x--\r\n'));
    expectProblem(await send(body, headers), 400, /multipart\/form-data/);
  });

  test.each([
    ['nothing', rawBody()],
    ['another boundary', rawBody('--y\r\nContent-Disposition: form-data; name="name"\r\n\r\na.docx\r\n--y--\r\n')],
    ['cut off in a part header', rawBody(nameHead, 'a.docx\r\n--x\r\nContent-Dispo')],
    ['cut off in a field', rawBody(nameHead, 'a.do')],
    ['cut off in the file', rawBody(nameHead, 'a.docx\r\n', fileHead, file.subarray(0, 900))],
    ['cut off in a large file', rawBody(nameHead, 'a.docx\r\n', fileHead, Buffer.alloc(300_000))],
    ['cut off before its end', rawBody(nameHead, 'a.docx\r\n', fileHead, file)],
  ])('a body with %s', async (_name, body) => {
    expectProblem(await send(new Uint8Array(body), ownBoundary), 400, /broken or cut off/);
  });

  test.each([
    ['without a disposition', 'X: y'],
    ['with another disposition', 'Content-Disposition: attachment; name="file"; filename="a"'],
    ['with a header of a megabyte', `X: ${'y'.repeat(megabyte)}`],
  ])('a large part %s does not block the request', async (_name, header) => {
    const part = `--x\r\n${header}\r\n\r\n${'z'.repeat(50_000)}\r\n`;
    const body = new Uint8Array(rawBody(part, nameHead, 'a.docx\r\n', part, '--x--\r\n'));
    expectProblem(await send(body, ownBoundary), 400);
  });

  test.each([
    ['announced', false],
    ['chunked', true],
  ])('10 MB and a byte, %s', async (_name, isChunked) => {
    const body = rawBody(nameHead, 'a.docx\r\n', fileHead, letterOfSize(10 * megabyte + 1), '\r\n--x--\r\n');
    const answer = await send(isChunked ? streamOf(body) : new Uint8Array(body), ownBoundary);
    const { details } = expectProblem(answer, 400, /larger than 10 MB/);
    expect(details).toMatchObject([{ type: 'Field', path: 'file' }]);
  });

  test('an upload that is cut off leaves nothing behind', async () => {
    const connection = await connectRaw(url);
    const head = [
      `${method} ${path()} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${client.apiKey}`,
      'Transfer-Encoding: chunked',
    ];
    const [first = '', second = ''] = chunked(
      rawBody(nameHead, 'a.docx\r\n', fileHead, letterOfSize(megabyte)),
      500_000,
    );
    await connection.send(
      `${[...head, 'Content-Type: multipart/form-data; boundary=x'].join('\r\n')}\r\n\r\n`,
      first,
      second,
    );
    connection.close();
  });
});
