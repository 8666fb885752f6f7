import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText, pdfText } from '../../support/documents/document-text.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { letter } from './samples.ts';

const stack = inject('stack');
const { newClient, operator } = await useService(stack);
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

test.each([
  ['an object instead of a string', { name: { first: 'Ada' } }],
  ['a list of objects instead of a string', { name: [{ first: 'Ada' }] }],
  ['a character that Word cannot hold', { name: 'a\0b' }],
])('%s is rejected with its path, and nothing is charged', async (_name, wrong) => {
  const poor = await newClient({ docs: 1 });
  const { id } = await poor.template('a.docx', letter('[{name}]'));
  for (const format of ['docx', 'pdf']) {
    const { details } = expectProblem(await poor.generate(id, { data: wrong, output: { format } }), 400);
    expect(details).toMatchObject([{ type: 'Field', path: 'data.name' }]);
    expect((await poor.quotas()).remaining.total.docs).toBe(1);
  }
  expect((await poor.generate(id, { data: { name: 'Ada' } })).status).toBe(200);
  expect((await poor.quotas()).remaining.total.docs).toBe(0);
});

/** Requests PDFs for later and returns their ids. */
const accept = (id: string, names: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    names.map(async (name) => {
      const request = { data: { name }, output: { format: 'pdf' } };
      return (await client.start(id, request)).json<{ id: string }>().id;
    }),
  );

async function textOf(job: string): Promise<string> {
  const content = () => client.call('GET', `/v1/jobs/${job}/content`);
  await expect.poll(async () => (await content()).status, { timeout: 240_000 }).toBe(200);
  return (await pdfText((await content()).bytes)).trim();
}

test('a document accepted before a re-upload keeps its version, and one accepted after it gets the new one', async () => {
  const { id } = await client.template('a.docx', letter('first version for {name}'));
  const names = Array.from({ length: 8 }, (_, i) => `reader ${i}`);
  const { jobs, replaced } = await whilePaused(stack, operator, client.accountId, async () => ({
    jobs: await accept(id, names),
    replaced: client.reupload(id, 'a.docx', letter('second version for {name}')),
  }));
  expect((await replaced).json()).toMatchObject({ version: 2 });
  const late = await client.generate(id, { data: { name: 'late' }, output: { format: 'docx' } });
  expect(docxText(late.bytes)).toBe('second version for late');
  expect(await Promise.all(jobs.map(textOf))).toEqual(names.map((name) => `first version for ${name}`));
});

test('a document accepted before its template was deleted is produced, and a later one is rejected', async () => {
  const { id } = await client.template('a.docx', letter('Dear {name}'));
  const names = ['Ada', 'Bob', 'Cyd'];
  const jobs = await whilePaused(stack, operator, client.accountId, async () => {
    const accepted = await accept(id, names);
    expect((await client.call('DELETE', `/v1/templates/${id}`)).status).toBe(204);
    expectProblem(await client.generate(id, { data: {} }), 404);
    return accepted;
  });
  expect(await Promise.all(jobs.map(textOf))).toEqual(names.map((name) => `Dear ${name}`));
});
