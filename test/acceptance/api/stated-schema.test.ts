import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { formOf, type Part } from './form-bodies.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

interface Described {
  readonly schema: { readonly properties: Readonly<Record<string, object>> };
  readonly stated: object | null;
  readonly example: Readonly<Record<string, unknown>>;
}

const file = letter('{name} {due}', '{#paid}Paid on {paidOn}{/paid}');
const stated = { properties: { due: { type: 'string', format: 'date' }, paid: { type: 'boolean' } } };
const form = (...parts: readonly Part[]) => formOf([['name', 'bill.docx'], ...parts, ['file', file, 'bill.docx']]);
const upload = (...parts: readonly Part[]) => client.call('POST', '/v1/templates', { body: form(...parts) });
const replace = (id: string, query: string, ...parts: readonly Part[]) =>
  client.call('PUT', `/v1/templates/${id}/content${query}`, { body: form(...parts) });
const describeData = async (id: string, query = '') =>
  (await client.call('GET', `/v1/templates/${id}/schema${query}`)).json<Described>();

async function uploaded(...parts: readonly Part[]): Promise<string> {
  const answer = await upload(...parts);
  expect(answer.status).toBe(201);
  return answer.json<{ id: string }>().id;
}

test('types that the author states beside a template are in its schema and its example', async () => {
  const id = await uploaded(['schema', JSON.stringify(stated)]);
  const { schema, example, ...rest } = await describeData(id);
  expect(rest).toEqual({ stated, invoiceMap: null });
  expect(schema.properties).toMatchObject({ name: { type: 'string' }, ...stated.properties });
  expect(example).toMatchObject({ due: '2026-03-31', paid: true });
  expect((await describeData(await uploaded())).stated).toBeNull();
});

test('a new version keeps them, changes them, or drops them, and each version has its own', async () => {
  const id = await uploaded(['schema', JSON.stringify(stated), 'bill.schema.json']);
  const typeOf = async (version: number) => (await describeData(id, `?version=${version}`)).schema.properties.due;
  expect((await replace(id, '')).status).toBe(200);
  expect((await replace(id, '', ['schema', '{"properties":{"due":{"type":"number"}}}'])).status).toBe(200);
  expect((await replace(id, '', ['schema', '{}'])).status).toBe(200);
  expect(await Promise.all([1, 2, 3, 4].map(typeOf))).toEqual([
    ...[stated.properties.due, stated.properties.due],
    ...[{ type: 'number' }, { type: 'string' }],
  ]);
  expect((await describeData(id)).stated).toBeNull();
});

test('strictSchema and validation compare what is stated', async () => {
  const id = await uploaded(['schema', JSON.stringify(stated)]);
  const other: Part = ['schema', '{"properties":{"paid":{"type":"number"}}}'];
  const { details } = expectProblem(await replace(id, '?strictSchema=true', other), 400);
  expect(details).toMatchObject([{ type: 'Message', name: 'paid' }]);
  const validate = (...parts: readonly Part[]) =>
    client.call('POST', `/v1/templates/validate?replaces=${id}`, {
      body: formOf([...parts, ['file', file, 'a.docx']]),
    });
  const codes = async (...parts: readonly Part[]) =>
    (await validate(...parts)).json<{ warnings: readonly { code: string }[] }>().warnings.map(({ code }) => code);
  expect(await codes(other)).toEqual(['schema_retyped']);
  expect(await codes()).toEqual([]);
});

test('cells of CSV have the types that are stated', async () => {
  const id = await uploaded(['schema', JSON.stringify(stated)]);
  const answer = await client.call('POST', `/v1/templates/${id}/batches/quote`, {
    body: 'name,due,paid\nAda,09.02.2026,nein\nBob,soon,ja\nCem,10.02.2026,perhaps\n',
    headers: { 'Content-Type': 'text/csv' },
  });
  const { invalidRows } = answer.json<{ invalidRows: readonly { error: { message: string } }[] }>();
  expect(invalidRows.map(({ error }) => error.message)).toEqual([
    expect.stringMatching(/^data\.due: "soon" is not a date/),
    expect.stringMatching(/^data\.paid: "perhaps" is neither yes nor no/),
  ]);
});

test('names that no tag uses are reported', async () => {
  const answer = await upload(['schema', '{"properties":{"paidOn":{"type":"string"},"piad":{"type":"boolean"}}}']);
  const { warnings } = answer.json<{ warnings: readonly object[] }>();
  expect(warnings).toContainEqual({
    code: 'stated_name_unused',
    message: expect.stringMatching(/: piad\.$/),
    paths: ['piad'],
  });
});

describe('a schema that Docmill does not read is refused, and nothing is stored', () => {
  test.each([
    ['{"properties":{"a":{"$ref":"#"}}}', 'schema.properties.a: uses "$ref", which Docmill does not read'],
    ['{"type":"array"}', 'schema: must describe an object, like data'],
    ['not JSON', /^schema: is not valid JSON/],
    [`${'{"properties":{"a":'.repeat(2_000)}{}${'}}'.repeat(2_000)}`, 'schema: nests deeper than 64 levels'],
    [`{"title":"${'x'.repeat(64 * 1024)}"}`, 'schema: is larger than 64 KB'],
  ])('%.40s', async (schema, message) => {
    const wanted = typeof message === 'string' ? message : expect.stringMatching(message);
    for (const parts of [[['schema', schema]], [['schema', schema, 'a.json']]] as const) {
      const { details } = expectProblem(await upload(...parts), 400);
      expect(details).toMatchObject([{ message: wanted }]);
    }
  });
});
