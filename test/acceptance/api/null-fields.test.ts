import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { ended } from '../batches/batch-client.ts';
import { address, letter } from './samples.ts';

const { newClient, url } = await useService(inject('stack'));
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('a.docx', letter('[{name}] {amount | number}'))).id;
});

const nulls = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const pdfNulls = nulls(
  ...['archive', 'accessible', 'password', 'permissions', 'watermark', 'pages', 'imageQuality', 'engine'],
);
const outputNulls = nulls('format', 'filename', 'locale', 'timezone', 'onMissing', 'pdf', 'email');

describe('null means the same as an absent field', () => {
  test.each([
    ['output and callbackUrl', { output: null, callbackUrl: null }],
    ['every field of output', { output: outputNulls }],
    ['every field of an e-mail', { output: { email: { to: [address()], ...nulls('cc', 'bcc', 'subject', 'body') } } }],
  ])('in generate: %s', async (_name, rest) => {
    const answer = await client.generate(id, { data: { name: null, amount: 1234.5 }, ...rest });
    expect(answer.status, answer.bytes.toString()).toBe(200);
    expect(docxText(answer.bytes)).toBe('[] 1,234.5');
    expect(answer.headers.get('Content-Disposition')).toMatch(/filename="a\.docx"/);
  });

  test.each([
    ['every field of pdf', pdfNulls],
    ['every permission', { permissions: nulls('printing', 'changes', 'copying', 'accessibility') }],
    ['an archive with no password', { archive: 'PDF/A-2b', password: null, permissions: null }],
  ])('in generate: %s', async (_name, pdf) => {
    const answer = await client.generate(id, { data: {}, output: { format: 'pdf', pdf } });
    expect(answer.status, answer.bytes.toString().slice(0, 300)).toBe(200);
  });

  test('in a JSON batch and its rows', async () => {
    const json = {
      output: { ...outputNulls },
      ...nulls('bundle', 'maxFailures', 'callbackUrl', 'dryRun'),
      items: [
        { data: { name: 'a' }, output: null },
        { data: { name: 'b' }, output: nulls('filename', 'locale', 'timezone', 'onMissing', 'pdf', 'email') },
        { data: { name: null } },
      ],
    };
    const accepted = await client.call('POST', `/v1/templates/${id}/batches`, { json });
    expect(accepted.status, accepted.bytes.toString()).toBe(202);
    const batch = await ended(client, accepted.json<{ id: string }>().id);
    expect(batch).toMatchObject({ status: 'completed', format: 'docx', bundle: 'zip', counts: { succeeded: 3 } });
  });

  test('in the e-mail of a batch, and its output', async () => {
    const email = { to: [address()], ...nulls('cc', 'bcc', 'subject', 'body') };
    for (const output of [null, { email }]) {
      const json = { items: [{ data: {} }], output, dryRun: true };
      const answer = await client.call('POST', `/v1/templates/${id}/batches`, { json });
      expect([answer.status, answer.json()], answer.bytes.toString()).toMatchObject([
        200,
        { cost: 1, invalidRowCount: 0 },
      ]);
    }
  });

  test('in a webhook and its changes', async () => {
    const json = { url: 'https://example.com/hook', events: ['document.failed'], description: null };
    const created = await client.call('POST', '/v1/webhooks', { json });
    expect(created.status, created.bytes.toString()).toBe(201);
    const { secret: _secret, updatedAt: _before, ...webhook } = created.json<Record<string, unknown>>();
    const changes = { json: nulls('url', 'events', 'description', 'status') };
    const changed = await client.call('PATCH', `/v1/webhooks/${String(webhook.id)}`, changes);
    expect([changed.status, changed.json()]).toMatchObject([200, webhook]);
  });
});

test.each<[string, unknown, string, RegExp]>([
  ['data', { data: null }, 'data', /must be an object, not null/],
  ['data that is absent', {}, 'data', /is missing/],
  ['recipients', { data: {}, output: { email: { to: null } } }, 'output.email.to', /must be a list, not null/],
  ['a recipient', { data: {}, output: { email: { to: [null] } } }, 'output.email.to[0]', /must be an e-mail address/],
  ['an unknown field', { data: {}, output: { fomat: null } }, 'output.fomat', /is not a known field/],
  ['a field of pdf', { data: {}, output: { format: 'pdf', pdf: { pages: 'x' } } }, 'output.pdf.pages', /page numbers/],
])('null where a value is required is named: %s', async (_name, request, path, message) => {
  const { details } = expectProblem(await client.generate(id, request), 400);
  expect(details).toEqual([expect.objectContaining({ path, message: expect.stringMatching(message) as string })]);
});

test('a name that is null is not called missing', async () => {
  const rename = (json: unknown) => client.call('PUT', `/v1/templates/${id}`, { json });
  expectProblem(await rename({ name: null }), 400, 'name: must be a text, not null');
  expectProblem(await rename({ name: 1 }), 400, /^name: must be a text$/);
  expectProblem(await rename({}), 400, /^name: is missing$/);
  const webhook = { json: { url: null, events: null } };
  expectProblem(await client.call('POST', '/v1/webhooks', webhook), 400, 'url: must be a text, not null');
});

test('the OpenAPI document allows null for every optional field of a request', async () => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const schemas = document.components.schemas;
  const refused: string[] = [];
  const visit = (schema: Schema, path: string): void => {
    const own = schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    for (const [name, property] of Object.entries(own.properties ?? {})) {
      if (name === 'data') continue;
      const isNullable =
        property.type?.includes('null') === true || property.anyOf?.some(({ type }) => type === 'null');
      if (own.required?.includes(name) !== true && isNullable !== true) refused.push(`${path}.${name}`);
      visit(property, `${path}.${name}`);
    }
    for (const each of [...(own.anyOf ?? []), ...(own.items === undefined ? [] : [own.items])]) visit(each, path);
  };
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema !== undefined) visit(schema, `${method} ${path}`);
    }
  }
  expect(refused).toEqual([]);
});

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> } }>
      >
    >
  >;
}
