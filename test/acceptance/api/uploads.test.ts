import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, type TemplateMetadata, uploadForm } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, footnoteReference, paragraph, table } from '../../support/documents/docx-builder.ts';
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
  ['upload by name', 'PUT', () => '/v1/templates'],
  ['re-upload', 'PUT', () => `/v1/templates/${kept.id}/content`],
];

describe.each(uploads)('a refused %s', (_operation, method, path) => {
  const send = (body: RequestInit['body'], headers = {}) => client.call(method, path(), { body, headers });

  /** Nothing is stored, charged or changed. */
  afterEach(async () => {
    expect((await client.call('GET', '/v1/templates')).json<unknown[]>()).toHaveLength(1);
    const { name, version } = (await client.call('GET', `/v1/templates/${kept.id}`)).json<TemplateMetadata>();
    expect([name, version]).toEqual(['kept.docx', 1]);
    expect((await client.call('GET', `/v1/templates/${kept.id}/content`)).bytes.equals(file)).toBe(true);
    expect((await client.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 49 });
  });

  const template: Part = ['file', file, 'a.docx'];
  /** Section 7 of the contract: each entry of `details` has the type `Message`. */
  test.each<[string, string, readonly Part[]]>([
    ['no name', 'name: is missing', [template]],
    ['a name of another format', 'name: must end with .docx', [['name', 'a.pdf'], template]],
    ['a path as its name', 'name: must not contain a path', [['name', '../a.docx'], template]],
    ['two names', 'name: is given more than once', [['name', 'a.docx'], ['name', 'b.docx'], template]],
    ['unknown delimiters', 'delimiters: must be two different', [['name', 'a.docx'], ['delimiters', '{{'], template]],
    ['no file', 'file: is missing', [['name', 'a.docx']]],
    [
      'an empty file',
      'file: is empty',
      [
        ['name', 'a.docx'],
        ['file', '', 'a.docx'],
      ],
    ],
  ])('with %s gets a message', async (_what, message, parts) => {
    const { details = [] } = expectProblem(await send(formOf(parts)), 400);
    expect(details.map((detail) => Object.keys(detail))).toStrictEqual([['type', 'message']]);
    expect(details).toMatchObject([{ type: 'Message', message: expect.stringContaining(message) }]);
  });

  test('that is cut off is broken', async () => {
    const body = rawBody(nameHead, 'a.docx\r\n', fileHead, file.subarray(0, 900));
    expectProblem(await send(new Uint8Array(body), ownBoundary), 400, /broken or cut off/);
  });

  test('names the file when it has 10 MB and a byte and no announced length', async () => {
    const body = rawBody(nameHead, 'a.docx\r\n', fileHead, letterOfSize(10 * megabyte + 1), '\r\n--x--\r\n');
    const answer = await send(streamOf(body), ownBoundary);
    const { message, details } = expectProblem(answer, 400, /larger than 10 MB/);
    expect(details).toStrictEqual([{ type: 'Message', message }]);
  });

  test('explains what the file is when it is not a template', async () => {
    const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n');
    const { details } = expectProblem(await send(uploadForm('a.docx', pdf)), 400, /^Template validation errors$/);
    expect(details).toMatchObject([{ type: 'Message', message: expect.stringMatching(/is a PDF/) }]);
  });

  test('lists each broken tag with its location', async () => {
    const broken = buildDocx({
      body:
        paragraph('Dear {name, how are you') +
        paragraph('{#items}{label}') +
        table([['total', '{/sum}']]) +
        `<w:p>${footnoteReference(1)}</w:p>`,
      headers: [paragraph('no. number}')],
      footers: [paragraph('{page} of {{pages}}')],
      footnotes: [paragraph('{#a}{#b}{/a}{/b}')],
    });
    const { details = [] } = expectProblem(await send(uploadForm('a.docx', broken)), 400);
    expect(details.map(({ type, tag, part }) => [type, part, tag])).toEqual([
      ['Message', 'body', '{name,'],
      ['Message', 'body', '{#items}'],
      ['Message', 'body', '{/sum}'],
      ['Message', 'header 1', 'number}'],
      ['Message', 'footer 1', '{{pages}}'],
      ['Message', 'footnotes', '{#b}'],
      ['Message', 'footnotes', '{/b}'],
    ]);
    for (const { message, context } of details)
      expect([message, context]).toEqual(Array(2).fill(expect.stringMatching(/\S/)));
  });
});

test('an upload that is cut off does not use up the template quota', async () => {
  const tight = await newClient({ templates: 1 });
  const connection = await connectRaw(url);
  const head = [
    'POST /v1/templates HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${tight.apiKey}`,
    'Content-Length: 5000',
  ];
  const type = 'Content-Type: multipart/form-data; boundary=x';
  await connection.send(`${[...head, type].join('\r\n')}\r\n\r\n${nameHead}a.docx\r\n${fileHead}PK`);
  connection.close();
  await expect.poll(async () => (await tight.upload('a.docx', file)).status).toBe(201);
});
