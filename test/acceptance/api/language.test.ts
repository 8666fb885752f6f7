import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph, table } from '../../support/documents/docx-builder.ts';

const { newClient } = await useService(inject('stack'));
const data = { total: 1234.5, due: '2026-11-20', items: [{ name: 'Oak', price: 2, qty: 3 }] };
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  const text = '{total | currency:"EUR"} on {due | date:"long"}{#items}, {name} {price * qty | number:2}{/items}{note}';
  id = (await client.template('bill.docx', buildDocx({ body: paragraph(text) }))).id;
});

test('expressions and formatters use the language of the request', async () => {
  const english = await client.generate(id, { data });
  expect(docxText(english.bytes)).toBe('€1,234.50 on November 20, 2026, Oak 6.00');
  const german = await client.generate(id, { data, output: { locale: 'de-DE', timezone: 'Europe/Berlin' } });
  expect(docxText(german.bytes).replaceAll('\u00a0', ' ')).toBe('1.234,50 € on 20. November 2026, Oak 6,00');
});

test('words of the dictionary in the template follow the language, and a missing one is counted', async () => {
  const words = table([
    ['{$dictionary}', 'en', 'de'],
    ['total', 'Total', 'Summe'],
  ]);
  const template = await client.template('words.docx', buildDocx({ body: paragraph('{"total" | translate}') + words }));
  const german = await client.generate(template.id, { data: {}, output: { locale: 'de-CH' } });
  expect(docxText(german.bytes)).toBe('Summe');
  expect(german.headers.get('Warnings')).toBeNull();
  const french = await client.generate(template.id, { data: {}, output: { locale: 'fr' } });
  expect(docxText(french.bytes)).toBe('total');
  expect(french.headers.get('Warnings')).toBe('1');
});

test('missing values are errors with their paths when the request asks for it', async () => {
  const answer = await client.generate(id, { data: { ...data, items: [{}] }, output: { onMissing: 'error' } });
  const paths = expectProblem(answer, 400).details?.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['data.note', 'data.items[0].name']));
});

test('otherwise missing values are counted in a header', async () => {
  const answer = await client.generate(id, { data });
  expect(Number(answer.headers.get('Warnings'))).toBeGreaterThan(0);
});

test('the schema describes the data, and its example fills the template', async () => {
  const answer = await client.call('GET', `/v1/templates/${id}/schema`);
  expect(answer.status).toBe(200);
  const { schema, example } = answer.json<{ schema: { properties: object }; example: object }>();
  expect(Object.keys(schema.properties).sort()).toEqual(['due', 'items', 'note', 'total']);
  const filled = await client.generate(id, { data: example, output: { onMissing: 'error' } });
  expect(filled.status).toBe(200);
});
