import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem, nextOf } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const texts = ['First: {name}', 'Second: {name}', 'Third: {name}'] as const;
const files = texts.map((text) => letter(text));
let client: TestClient;
let path: string;

beforeAll(async () => {
  client = await newClient();
  const { id } = await client.template('letter.docx', files[0] as Buffer);
  path = `/v1/templates/${id}`;
  for (const file of files.slice(1)) {
    expect((await client.reupload(id, 'letter.docx', file)).status).toBe(200);
  }
});

const generate = (query = '') => client.call('POST', `${path}/generate${query}`, { json: { data: { name: 'Ada' } } });
const textOf = async (query?: string) => docxText((await generate(query)).bytes).trim();

test('every upload is a version, which is listed newest first and downloaded byte for byte', async () => {
  const first = await client.call('GET', `${path}/versions?limit=2`);
  expect(first.json<{ version: number }[]>().map(({ version }) => version)).toEqual([3, 2]);
  expect((await client.call('GET', nextOf(first) ?? '')).json<object[]>()).toMatchObject([{ version: 1 }]);
  for (const [index, file] of files.entries()) {
    const content = await client.call('GET', `${path}/versions/${index + 1}/content`);
    expect(Buffer.from(content.bytes).equals(file)).toBe(true);
  }
});

test('a document uses the current version or the requested one', async () => {
  expect(await textOf()).toBe('Third: Ada');
  expect(await textOf('?version=1')).toBe('First: Ada');
});

test('a promotion rolls back and forward, each time with a new entity tag', async () => {
  expect((await client.call('POST', `${path}/versions/1/promote`)).status).toBe(200);
  expect(await textOf()).toBe('First: Ada');
  expect((await client.call('POST', `${path}/versions/3/promote`)).status).toBe(200);
  expect(await textOf()).toBe('Third: Ada');
});

test('a missing version and a missing template get different errors', async () => {
  expectProblem(await generate('?version=99'), 404, /no version 99/);
  expectProblem(await client.call('GET', `${path}/versions/99/content`), 404, /version/);
  const otherClient = await newClient();
  const json = { data: { name: 'Ada' } };
  expectProblem(await otherClient.call('POST', `${path}/generate?version=1`, { json }), 404, /no template/);
  expectProblem(await otherClient.call('GET', `${path}/versions/1/content`), 404);
  expectProblem(await otherClient.call('POST', `${path}/versions/1/promote`), 404);
});
