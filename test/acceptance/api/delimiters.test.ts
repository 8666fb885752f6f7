import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { formOf, type Part } from './form-bodies.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const client = await newClient();

interface Uploaded {
  readonly id: string;
  readonly version: number;
  readonly tags: readonly string[];
  readonly delimiters: string;
  readonly unlikelyTags: string;
  readonly warnings: readonly { readonly code: string }[];
}

const bill = letter('Dear {{name}}, {id} {{2}}');

async function upload(path: string, file: Uint8Array, ...parts: readonly Part[]): Promise<Uploaded> {
  const method = path === '/v1/templates' ? 'POST' : 'PUT';
  const body = formOf([['name', 'bill.docx'], ...parts, ['file', file, 'bill.docx']]);
  const answer = await client.call(method, path, { body });
  expect(answer.status).toBe(method === 'POST' ? 201 : 200);
  return answer.json<Uploaded>();
}

async function textOf(id: string): Promise<string> {
  const answer = await client.call('POST', `/v1/templates/${id}/generate`, {
    json: { data: { name: 'Ada', 2: 'two' } },
  });
  expect(answer.status).toBe(200);
  return docxText(answer.bytes);
}

test('delimiters are stored with the version, and kept by a re-upload that sends none', async () => {
  const first = await upload('/v1/templates', bill, ['delimiters', '{{ }}']);
  expect(first).toMatchObject({ tags: ['name'], delimiters: '{{ }}', unlikelyTags: 'text' });
  expect(first.warnings).toMatchObject([{ code: 'text_in_braces' }, { code: 'foreign_syntax' }]);
  expect(await textOf(first.id)).toContain('Dear Ada, {id} {{2}}');
  const content = `/v1/templates/${first.id}/content`;
  expect(await upload(content, bill)).toMatchObject({ version: 2, delimiters: '{{ }}' });
  const filled = await upload(content, bill, ['unlikelyTags', 'fill']);
  expect(filled).toMatchObject({ version: 3, tags: ['2', 'name'], delimiters: '{{ }}', unlikelyTags: 'fill' });
  expect(await textOf(first.id)).toContain('Dear Ada, {id} two');
  const angled = await upload(content, letter('<<name>> {{name}}'), ['delimiters', '<< >>'], ['unlikelyTags', 'text']);
  expect(angled).toMatchObject({ delimiters: '<< >>', unlikelyTags: 'text' });
  expect(await textOf(first.id)).toContain('Ada {{name}}');
  expect((await client.call('GET', `/v1/templates/${first.id}`)).json()).toMatchObject({ delimiters: '<< >>' });
});

test('a preview of a file uses the delimiters of its request', async () => {
  const request = JSON.stringify({ data: { name: 'Ada' } });
  const preview = (delimiters: string) =>
    client.call('POST', '/v1/templates/preview', {
      body: formOf([
        ['delimiters', delimiters],
        ['request', request],
        ['file', bill, 'a.docx'],
      ]),
    });
  expect((await preview('{{ }}')).status).toBe(200);
  expect(expectProblem(await preview('[[ ]]'), 400).details).toMatchObject([
    { message: 'The template contains no tags.' },
  ]);
});
