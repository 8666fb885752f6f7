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
  expectProblem(await read(), 404, 'The account has no dictionary');
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

test('what is no dictionary is refused with its place', async () => {
  const own = await newClient();
  const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`key${n}`, 'x']));
  const refused: readonly (readonly [unknown, string])[] = [
    [undefined, 'words: is missing'],
    [{ de: 'x' }, 'words.de: must be an object'],
    [{ de: { total: 1 } }, 'words.de.total: must be a text'],
    [{ de_DE: {} }, 'words.de_DE: is not a locale: write one such as en, de or de-AT'],
    [{ de: {}, DE: {} }, 'words.DE: is there twice, in upper and lower case'],
    [{ de: { '': 'x' } }, 'words.de.: must have a key of 1 to 200 characters'],
    [{ de: { total: 'a\0b' } }, 'words.de.total: must not contain control characters'],
    [{ de: { total: '\ud800' } }, 'words.de.total: must not contain control characters'],
    [{ de: { total: 'x'.repeat(10_001) } }, 'words.de.total: must have at most 10,000 characters'],
    [{ de: many }, 'words: must have at most 20,000 words'],
    [{ de: { total: 'x'.repeat(1024 * 1024) } }, 'words: must have at most 1 MB'],
  ];
  for (const [words, message] of refused) expectProblem(await put(words, {}, own), 400, message);
  expectProblem(await own.call('GET', '/v1/dictionary'), 404);
});
