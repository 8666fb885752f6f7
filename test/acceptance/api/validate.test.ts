import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { formOf, type Part } from './form-bodies.ts';
import { letter, letterOfSize, megabyte } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

interface Valid {
  readonly valid: boolean;
  readonly tags: readonly string[];
  readonly warnings: readonly { readonly code: string; readonly paths?: readonly string[] }[];
  readonly schema: object;
  readonly example: object;
}

const validate = (parts: readonly Part[], headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  client.call('POST', '/v1/templates/validate', { body: formOf(parts), headers });
const withFile = (file: Uint8Array, ...parts: readonly Part[]): readonly Part[] => [['file', file, 'a.docx'], ...parts];
const bill = letter('Dear {customer.name}', '{#items}{name}: {price | number:2}{/items}');

test('a valid template gets the description of its upload and its schema, and nothing is stored or charged', async () => {
  const poor = await newClient({ docs: 0, templates: 0 });
  const answer = await poor.call('POST', '/v1/templates/validate', { body: formOf(withFile(bill)) });
  expect(answer.status).toBe(200);
  const template = await client.template('bill.docx', bill);
  const { tags, fonts, accessibility, warnings } = (await client.upload('bill.docx', bill)).json<
    Record<string, unknown>
  >();
  const { stated, invoiceMap, ...schema } = (await client.call('GET', `/v1/templates/${template.id}/schema`)).json<
    Record<string, unknown>
  >();
  expect([stated, invoiceMap]).toEqual([null, null]);
  expect(answer.json()).toEqual({ valid: true, tags, fonts, accessibility, warnings, ...schema });
  expect((await poor.call('GET', '/v1/templates')).json()).toEqual([]);
  expect((await poor.quotas()).remaining.total).toEqual({ docs: 0, templates: 0 });
});

describe('sample data', () => {
  test('fill the template, as a field or as a file; the example of the schema gives no warnings', async () => {
    const example = JSON.stringify((await validate(withFile(bill))).json<Valid>().example);
    for (const sample of [
      ['sampleData', example],
      ['sampleData', example, 'data.json'],
    ] as const) {
      const answer = await validate(withFile(bill, sample));
      expect(answer.status).toBe(200);
      expect(answer.json<Valid>().warnings).toEqual([]);
    }
  });

  test('language and missing values are treated as in generate', async () => {
    const sample: Part = ['sampleData', JSON.stringify({ customer: {}, items: [] })];
    const post = (query: string) =>
      client.call('POST', `/v1/templates/validate?${query}`, { body: formOf(withFile(bill, sample)) });
    const refused = expectProblem(await post('onMissing=error'), 400);
    expect(JSON.stringify(refused.details)).toContain('customer.name');
    expect((await post('onMissing=empty&locale=de-DE&timezone=Europe/Berlin')).status).toBe(200);
  });

  test.each([
    ['a string instead of a number', { items: [{ price: 'much' }] }],
    ['a character that no document can hold', { customer: { name: 'a\u0001b' } }],
    ['an object instead of a string', { customer: { name: { first: 'Ada' } } }],
  ])('%s gets the same error as in generate', async (_name, data) => {
    const { id } = await client.template('bill.docx', bill);
    const refused = expectProblem(await validate(withFile(bill, ['sampleData', JSON.stringify(data)])), 400);
    expect(refused).toEqual(expectProblem(await client.generate(id, { data }), 400));
    expect(refused.details?.[0]).toMatchObject({ path: expect.stringMatching(/^data\./) });
  });
});

test('the form has the same limits as an upload', async () => {
  expect((await validate(withFile(letterOfSize(10 * megabyte)))).status).toBe(200);
  expectProblem(await validate(withFile(letterOfSize(10 * megabyte + 1))), 400, 'file: is larger than 10 MB');
  expectProblem(await validate(withFile(bill, ['sampleData', '[]'])), 400, 'sampleData: must be an object');
});

describe('a comparison by `replaces`', () => {
  const next = letter('Dear {customer.name | upper}', '{#items}{name}{/items}', '{note}', '{#vip}{vip}{/vip}');
  const compare = (id: string, file: Uint8Array, by: TestClient = client): Promise<Answer> =>
    by.call('POST', `/v1/templates/validate?replaces=${id}`, { body: formOf(withFile(file)) });

  test('reports what a re-upload would report about the schema, and replaces nothing', async () => {
    const { id } = await client.template('bill.docx', bill);
    expect((await compare(id, bill)).json<Valid>().warnings).toEqual([]);
    const { warnings } = (await compare(id, next)).json<Valid>();
    expect(warnings.map(({ code, paths }) => [code, paths])).toEqual([
      ['schema_removed', ['items[].price']],
      ['schema_required', ['note']],
    ]);
    expect((await client.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ version: 1 });
    const put = { body: formOf([['name', 'bill.docx'], ...withFile(next)]) };
    const replaced = await client.call('PUT', `/v1/templates/${id}/content`, put);
    expect(replaced.json<Valid>().warnings).toEqual(warnings);
  });

  test('is binding with strictSchema: a re-upload that breaks the data is refused, with each name at fault', async () => {
    const { id } = await client.template('bill.docx', bill);
    const path = `/v1/templates/${id}/content?strictSchema=true`;
    const put = (file: Uint8Array) => client.call('PUT', path, { body: uploadForm('bill.docx', file) });
    const { message, details } = expectProblem(await put(next), 400);
    expect(message).toBe('The new version does not fit the data of the current version');
    const changes = [
      ['items[].price', /does not use "items\[\]\.price"/],
      ['note', /always prints "note"/],
    ] as const;
    expect(details).toEqual(
      changes.map(([name, text]) => ({
        type: 'Message',
        message: expect.stringMatching(text),
        name,
        hint: expect.stringMatching(/\S/),
      })),
    );
    expect((await client.call('GET', `/v1/templates/${id}/versions`)).json<unknown[]>()).toHaveLength(1);
    expect(
      (await put(letter('Dear {customer.name}', '{#items}{name}: {price | number}{/items}{#vip}{x}{/vip}'))).status,
    ).toBe(200);
  });

  test('finds no template of another account, and refuses a malformed id', async () => {
    const { id } = await (await newClient()).template('bill.docx', bill);
    expectProblem(await compare(id, next), 404);
    expectProblem(await compare('bill', next), 400, /replaces/);
  });
});
