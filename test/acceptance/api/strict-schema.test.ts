import { beforeAll, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, type TemplateMetadata, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const bill = letter('{customer.name} {customer.city}', '{due}', '{#items}{name} {price}{/items}');
const next = letter('{customer.name}', '{due | date:"long"}', '{#items}{name} {price | number:2}{/items}', '{note}');
const changes = [
  ['customer.city', /does not use "customer\.city"/],
  ['due', /is text in the current version and a date in the new one/],
  ['items[].price', /is text in the current version and a number in the new one/],
  ['note', /prints "note" in any case/],
] as const;

let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

const put = (id: string, file: Uint8Array, query: string, headers: Readonly<Record<string, string>> = {}) =>
  client.call('PUT', `/v1/templates/${id}/content${query}`, { body: uploadForm('bill.docx', file), headers });
const warningsOf = (answer: Answer) =>
  answer.json<{ warnings: { code: string; message: string; paths?: string[] }[] }>().warnings;

test('an incompatible version is rejected with strictSchema, with each name at fault', async () => {
  const { id } = await client.template('bill.docx', bill);
  const { message, details } = expectProblem(await put(id, next, '?strictSchema=true'), 400);
  expect(message).toBe('The new version does not fit the data of the current version');
  expect(details).toEqual(
    changes.map(([name, text]) => ({
      type: 'Message',
      message: expect.stringMatching(text) as string,
      name,
      hint: expect.stringMatching(/\S/) as string,
    })),
  );
  const kept = await client.call('GET', `/v1/templates/${id}`);
  expect(kept.json()).toMatchObject({ version: 1, tags: expect.arrayContaining(['customer.city']) as string[] });
  expect((await client.call('GET', `/v1/templates/${id}/versions`)).json<unknown[]>()).toHaveLength(1);
});

test('without strictSchema the version is accepted, and the names are warnings', async () => {
  const { id } = await client.template('bill.docx', bill);
  const answer = await put(id, next, '');
  expect(answer.status).toBe(200);
  expect(answer.json<TemplateMetadata>().version).toBe(2);
  expect(warningsOf(answer).map(({ code, paths }) => [code, paths])).toEqual([
    ['schema_removed', ['customer.city']],
    ['schema_retyped', ['due']],
    ['schema_retyped', ['items[].price']],
    ['schema_required', ['note']],
  ]);
});
