import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const client = await newClient({ docs: 20, templates: 5 });
const put = (words: unknown, headers: Readonly<Record<string, string>> = {}, as = client) =>
  as.call('PUT', '/v1/dictionary', { json: { words }, headers });
const read = () => client.call('GET', '/v1/dictionary');

test('documents, previews and uploads use the words of the account, in the language of the request', async () => {
  expectProblem(
    await read(),
    404,
    'The account has no dictionary: none was stored, or it was removed. PUT /v1/dictionary stores one.',
  );
  const warned = await client.upload('letter.docx', letter('{"total" | translate}: {sum}'));
  expect(warned.json()).toMatchObject({ warnings: [{ code: 'missing_word' }] });
  const words = { en: { total: 'Total' }, de: { total: 'Summe', due: 'fällig' } };
  const stored = await put(words);
  expect(stored.status).toBe(200);
  expect((await read()).json()).toEqual(stored.json());
  expect(stored.json()).toEqual({ words, checksum: expect.any(String), updatedAt: expect.any(String) });
  const { id, warnings } = (await client.upload('letter.docx', letter('{"total" | translate}: {sum}'))).json<{
    readonly id: string;
    readonly warnings: readonly object[];
  }>();
  expect(warnings).toEqual([]);

  const request = { data: { sum: 3 }, output: { locale: 'de-AT' } };
  expect(docxText((await client.generate(id, request)).bytes)).toContain('Summe: 3');
  expect(docxText((await client.generate(id, { data: { sum: 3 } })).bytes)).toContain('Total: 3');
  const preview = await client.call('POST', '/v1/templates/preview', { json: { templateId: id, ...request } });
  expect([preview.status, preview.headers.get('Warnings')]).toEqual([200, null]);

  const etag = stored.headers.get('ETag') ?? '';
  expect((await put({ de: { total: 'Gesamt' } }, { 'If-Match': etag })).status).toBe(200);
  expect(docxText((await client.generate(id, request)).bytes)).toContain('Gesamt: 3');
  expectProblem(await put(words, { 'If-Match': etag }), 412);
  expect((await client.call('DELETE', '/v1/dictionary')).status).toBe(204);
  expect(docxText((await client.generate(id, request)).bytes)).toContain('total: 3');
  expectProblem(await client.call('DELETE', '/v1/dictionary'), 404);
});

test('an invalid dictionary is refused with the location of the error, and not stored', async () => {
  const own = await newClient();
  expectProblem(await put({ de: { total: 1 } }, {}, own), 400, 'words.de.total: must be a string');
  expectProblem(await own.call('GET', '/v1/dictionary'), 404);
});
