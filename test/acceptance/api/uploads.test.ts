import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, type TemplateMetadata } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
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
    ['two names', 'name: is given more than once', [['name', 'a.docx'], ['name', 'b.docx'], template]],
    ['no file', 'file: is missing', [['name', 'a.docx']]],
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
