import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const data = { total: 1234.5, due: '2026-11-20', items: [{ name: 'Oak', price: 2, qty: 3 }] };
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  const text = '{total | currency:"EUR"} on {due | date:"long"}{#items}, {name} {price * qty | number:2}{/items}{note}';
  id = (await client.template('bill.docx', letter(text))).id;
});

test('expressions and formatters use the language of the request', async () => {
  const english = await client.generate(id, { data });
  expect(docxText(english.bytes)).toBe('€1,234.50 on November 20, 2026, Oak 6.00');
  const german = await client.generate(id, { data, output: { locale: 'de-DE', timezone: 'Europe/Berlin' } });
  expect(docxText(german.bytes).replaceAll('\u00a0', ' ')).toBe('1.234,50 € on 20. November 2026, Oak 6,00');
});

test('missing values are errors with their paths when the request asks for it', async () => {
  const answer = await client.generate(id, { data: { ...data, items: [{}] }, output: { onMissing: 'error' } });
  const paths = expectProblem(answer, 400).details?.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['data.note', 'data.items[0].name']));
});

test('the schema describes the data, and its example fills the template', async () => {
  const answer = await client.call('GET', `/v1/templates/${id}/schema`);
  expect(answer.status).toBe(200);
  const { schema, example } = answer.json<{ schema: { properties: object }; example: object }>();
  expect(Object.keys(schema.properties).sort()).toEqual(['due', 'items', 'note', 'total']);
  const filled = await client.generate(id, { data: example, output: { onMissing: 'error' } });
  expect(filled.status).toBe(200);
});
