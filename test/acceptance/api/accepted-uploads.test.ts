import { beforeAll, expect, inject, test } from 'vitest';
import type { Answer, TemplateMetadata } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { fileHead, nameHead, ownBoundary, rawBody, streamOf } from './form-bodies.ts';
import { letter, letterOfSize, megabyte } from './samples.ts';

const { newClient, url } = await useService(inject('stack'));
const file = letter('Dear {name}');
let taker: TestClient;
beforeAll(async () => {
  taker = await newClient();
});
const created = (answer: Answer): TemplateMetadata => {
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(201);
  return answer.json();
};

test.each([
  'a.docx',
  'A.DOCX',
  'Angebot Ä 見積 😀.docx',
  "it's 100% (final).docx",
  '...docx',
  `${'é'.repeat(195)}.docx`,
])('the name %.30s', async (name) => {
  const { id } = created(await taker.upload(name, file));
  expect((await taker.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ name });
});

test.each([
  ['announced', false],
  ['chunked', true],
])('exactly 10 MB, %s', async (_name, isChunked) => {
  const large = letterOfSize(10 * megabyte);
  expect(large).toHaveLength(10 * megabyte);
  const body = rawBody(nameHead, 'large.docx\r\n', fileHead, large, '\r\n--x--\r\n');
  const options = { body: isChunked ? streamOf(body) : new Uint8Array(body), headers: ownBoundary };
  const { id, size } = created(await taker.call('POST', '/v1/templates', options));
  expect(size).toBe(10 * megabyte);
  expect((await taker.call('GET', `/v1/templates/${id}/content`)).bytes.equals(large)).toBe(true);
});

test('accepts the file before the name, other fields, a preamble and an epilogue', async () => {
  const other = '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n';
  const body = rawBody('preamble\r\n', fileHead, file, '\r\n', other, nameHead, 'late.docx\r\n--x--\r\nepilogue');
  const answer = await taker.call('POST', '/v1/templates', { body: new Uint8Array(body), headers: ownBoundary });
  expect(created(answer).name).toBe('late.docx');
});

test('accepts a quoted boundary, and a body that arrives one byte at a time', async () => {
  const body = rawBody(nameHead, 'slow.docx\r\n', fileHead, file, '\r\n--x--\r\n');
  const headers = { 'Content-Type': 'multipart/form-data; charset=utf-8; boundary="x"' };
  expect(created(await taker.call('POST', '/v1/templates', { body: streamOf(body, 1), headers })).name).toBe(
    'slow.docx',
  );
});

test('the media type of the body is case-insensitive', async () => {
  const body = new Uint8Array(rawBody(nameHead, 'case.docx\r\n', fileHead, file, '\r\n--x--\r\n'));
  const headers = { 'Content-Type': 'Multipart/Form-Data; Boundary=x' };
  expect(created(await taker.call('POST', '/v1/templates', { body, headers })).name).toBe('case.docx');
});

test('ten concurrent re-uploads create ten versions, and the last one is downloaded', async () => {
  const { id } = await taker.template('a.docx', file);
  const files = Array.from({ length: 10 }, (_, i) => letter(`Dear {name} of version ${i}`));
  const answers = await Promise.all(files.map((each, i) => taker.reupload(id, `${i}.docx`, each)));
  const replaced = answers.map((answer) => answer.json<TemplateMetadata>());
  const metadata = await taker.call('GET', `/v1/templates/${id}`);
  const { name, version } = metadata.json<TemplateMetadata>();
  expect(version).toBe(11);
  const content = await taker.call('GET', `/v1/templates/${id}/content`);
  expect(content.headers.get('ETag')).toBe(metadata.headers.get('ETag'));
  expect(content.bytes.equals(files[Number.parseInt(name, 10)] ?? file)).toBe(true);
  expect(replaced.map((each) => each.version).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('an upload that is cut off does not use up the template quota', async () => {
  const tight = await newClient({ templates: 1 });
  const connection = await connectRaw(url);
  const head = `POST /v1/templates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tight.apiKey}\r\nContent-Length: 5000\r\n`;
  await connection.send(
    `${head}Content-Type: multipart/form-data; boundary=x\r\n\r\n${nameHead}a.docx\r\n${fileHead}PK`,
  );
  connection.close();
  await expect.poll(async () => (await tight.upload('a.docx', file)).status).toBe(201);
});
