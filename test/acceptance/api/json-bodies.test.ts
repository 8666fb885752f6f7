import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { address, letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const client = await newClient({ docs: 100 });
const { id } = await client.template('a.docx', letter('[{name}]'));
const headers = { 'Content-Type': 'application/json' };
const post = (body: string) => client.call('POST', `/v1/templates/${id}/generate`, { body, headers });
const docsLeft = async () => (await client.quotas()).remaining.total.docs;

async function textOf(body: string): Promise<string> {
  const answer = await post(body);
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(200);
  return docxText(answer.bytes);
}

test('a refusal names the field or the byte at fault, and nothing is charged', async () => {
  const before = await docsLeft();
  expectProblem(await post('\ufeff{"data":x}'), 400, /not valid JSON \(at byte 11\)/);
  expectProblem(await post('['.repeat(1_000_000)), 400, /deeper than 64 levels/);
  const { details } = expectProblem(await post('{"data":{},"output":{"fomat":"pdf","email":{"to":["ada"]}}}'), 400);
  expect(details?.map(({ path }) => path)).toEqual(['output.email.to[0]', 'output.fomat']);
  expect(await docsLeft()).toBe(before);
});

test.each([
  ['{"data":{"name":"one"},"data":{"name":"first","name":"last"}}', 'last'],
  ['{"d\\u0061ta":{"n\\u0061me":"\\ud83d\\ude00 \\u00e4"}}', '😀 ä'],
  ['{"data":{"__proto__":{"name":"polluted"},"constructor":{"prototype":{"name":"polluted"}}}}', ''],
  [`{"data":{"a":${'['.repeat(62)}${']'.repeat(62)}}}`, ''],
])('the unusual but valid JSON %s is read as the standard defines', async (body, printed) => {
  expect(await textOf(body)).toBe(`[${printed}]`);
});

test('values are printed as they are written, and numbers for which that is impossible are refused', async () => {
  const values = ['9007199254740991', '"12345678901234567890"', '-0', '1e-7', 'true', 'null', '[1,2]'];
  const template = await client.template('values.docx', letter(...values.map((_, i) => `[{v${i}}]`)));
  const generate = (list: readonly string[]) =>
    client.call('POST', `/v1/templates/${template.id}/generate`, {
      body: `{"data":{${list.map((value, i) => `"v${i}":${value}`).join(',')}}}`,
      headers,
    });
  expect(docxText((await generate(values)).bytes).split('\n')).toEqual(
    ['9007199254740991', '12345678901234567890', '0', '1e-7', 'true', '', '1, 2'].map((text) => `[${text}]`),
  );
  const wrong = ['1e999', '-1e999', '12345678901234567890', '[1,9007199254740993]'];
  const { details } = expectProblem(await generate(wrong), 400);
  expect(details?.map(({ type, path }) => [type, path])).toEqual(wrong.map((_, i) => ['Field', `data.v${i}`]));
});

test('null has the same effect as an absent field', async () => {
  const nulls = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const email = { to: [address()], ...nulls('cc', 'bcc', 'subject', 'body') };
  const output = { ...nulls('format', 'filename', 'locale', 'timezone', 'onMissing', 'pdf'), email };
  const answer = await client.generate(id, { data: { name: null }, output, callbackUrl: null });
  expect(docxText(answer.bytes)).toBe('[]');
  expect(answer.headers.get('Content-Disposition')).toMatch(/filename="a\.docx"/);
  const hook = { url: 'https://example.com/hook', events: ['document.failed'], description: null };
  const created = await client.call('POST', '/v1/webhooks', { json: hook });
  const { secret: _secret, updatedAt: _before, ...webhook } = created.json<Record<string, unknown>>();
  const changes = { json: nulls('url', 'events', 'description', 'status') };
  const changed = await client.call('PATCH', `/v1/webhooks/${String(webhook.id)}`, changes);
  expect([changed.status, changed.json()]).toMatchObject([200, webhook]);
});
