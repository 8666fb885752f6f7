import { beforeEach, expect, inject, test } from 'vitest';
import { expectProblem, type TemplateMetadata, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { formOf } from './form-bodies.ts';
import { letter } from './samples.ts';

const { newClient, clientOf, operator } = await useService(inject('stack'));
let client: TestClient;
beforeEach(async () => {
  client = await newClient({ docs: 10, templates: 3 });
});

const name = 'Rechnung Müller.docx';
const file = letter('Dear {name}');
const put = (content: Uint8Array, { query = '', headers = {}, as = name } = {}) =>
  client.call('PUT', `/v1/templates${query}`, { body: uploadForm(as, content), headers });
const listed = async () => (await client.call('GET', '/v1/templates')).json<TemplateMetadata[]>();
const versionsOf = async (id: string) => (await client.call('GET', `/v1/templates/${id}/versions`)).json<unknown[]>();

test('a name gets a template first, then versions; an equal file adds none', async () => {
  const created = await put(file);
  const first = created.json<TemplateMetadata>();
  expect([created.status, created.headers.get('Location')]).toEqual([201, `/v1/templates/${first.id}`]);
  expect(first).toMatchObject({ name, version: 1, tags: ['name'], warnings: [] });

  const repeated = await put(file);
  expect([repeated.status, repeated.headers.get('ETag')]).toEqual([200, created.headers.get('ETag')]);
  expect(repeated.json()).toEqual(first);

  const replaced = await put(letter('Hello {name} of {city}'));
  expect(replaced.status).toBe(200);
  expect(replaced.json()).toMatchObject({ id: first.id, name, version: 2, tags: ['city', 'name'] });
  const current = await client.call('GET', `/v1/templates/${first.id}`);
  expect(current.headers.get('ETag')).toBe(replaced.headers.get('ETag'));
  expect(await versionsOf(first.id)).toHaveLength(2);
  expect((await client.quotas()).remaining.total.templates).toBe(2);
  expect((await client.generate(first.id, { data: { name: 'Ada', city: 'London' } })).status).toBe(200);
});

test('If-None-Match: * makes the name unique: it creates a template or nothing', async () => {
  const headers = { 'If-None-Match': '*' };
  const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => put(letter(`{name} ${i}`), { headers })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412]);
  expect(await listed()).toMatchObject([{ name, version: 1 }]);
  const refused = await put(letter('{name} again'), { headers });
  expectProblem(
    refused,
    412,
    /already has a template with the name Rechnung Müller\.docx \(tpl_\w+\), so nothing was stored/,
  );
});

test('If-Match replaces the state that was read, or nothing', async () => {
  const missing = await put(file, { headers: { 'If-Match': '*' } });
  expectProblem(missing, 412, /^The template was changed since you read it/);
  const seen = (await put(file)).headers.get('ETag') ?? '';
  const headers = { 'If-Match': seen };
  expect((await put(file, { headers })).json()).toMatchObject({ version: 1 });
  expect((await put(letter('Hello {name}'), { headers })).json()).toMatchObject({ version: 2 });
  expectProblem(await put(letter('Bye {name}'), { headers }), 412);
  expectProblem(await put(letter('Hello {name}'), { headers }), 412);
  expect(await listed()).toMatchObject([{ version: 2 }]);
});

test('the schema is compared as in a re-upload, and the delimiters are kept', async () => {
  const withDelimiters = formOf([
    ['name', name],
    ['delimiters', '{{ }}'],
    ['file', letter('Dear {{name}}'), 'a.docx'],
  ]);
  const created = await client.call('PUT', '/v1/templates', { body: withDelimiters });
  expect(created.json()).toMatchObject({ version: 1, delimiters: '{{ }}' });
  const changed = letter('Dear {{customer}}');
  expectProblem(await put(changed, { query: '?strictSchema=true' }), 400, /does not fit the data/);
  const codes = (await put(changed)).json<{ warnings: { code: string }[] }>().warnings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining([expect.stringMatching(/^schema_/)]));
  expect(await listed()).toMatchObject([{ version: 2, tags: ['customer'] }]);
});

test('a name that several templates have is refused with their ids; uploads still make new templates', async () => {
  const ids = [(await client.template(name, file)).id, (await client.template(name, file)).id];
  const refused = await put(letter('Hello {name}'));
  const { message } = expectProblem(refused, 409, /^Several templates have the name Rechnung Müller\.docx: /);
  for (const id of ids) expect(message).toContain(id);
  expect((await listed()).map(({ version }) => version)).toEqual([1, 1]);
  expect((await client.call('DELETE', `/v1/templates/${ids[1]}`)).status).toBe(204);
  expect((await put(letter('Hello {name}'))).json()).toMatchObject({ id: ids[0], version: 2 });
});

test('the key needs the scope of uploads, and names of other accounts are free', async () => {
  const options = { account: client.accountId, scopes: 'templates:read' };
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', options);
  expectProblem(await clientOf(apiKey).call('PUT', '/v1/templates', { body: uploadForm(name, file) }), 403);
  expect((await put(file)).status).toBe(201);
  const another = await newClient();
  expect((await another.call('PUT', '/v1/templates', { body: uploadForm(name, file) })).status).toBe(201);
});
