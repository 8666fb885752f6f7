import { beforeAll, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText, partOf } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { type Batch, ended, itemsOf, lines, send } from '../batches/batch-client.ts';
import { address } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const target = 'https://pictures.example/a.png?token=hidden';
const template = buildDocx({
  body: `${paragraph('Dear {name}')}<w:p><w:r><w:drawing><a:blip r:link="rX"/></w:drawing></w:r></w:p>`,
  rels: [{ id: 'rX', type: 'image', target, external: true }],
});
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('Linked.docx', template)).id;
});

const relationships = (file: Uint8Array) => partOf(file, 'word/_rels/document.xml.rels');
const generate = (output: object) => client.generate(id, { data: { name: 'Ada' }, output });
const warning = expect.objectContaining({ code: 'external_content', part: 'word/document.xml' });

test('the upload and the job report what a .docx loads from elsewhere, without the whole address', async () => {
  const upload = await client.upload('Linked.docx', template);
  const { warnings } = upload.json<{ warnings: readonly { message: string }[] }>();
  expect(warnings).toContainEqual(warning);
  expect(JSON.stringify(warnings)).toContain('https://pictures.example');
  expect(JSON.stringify(warnings)).not.toContain('hidden');
  const answer = await generate({});
  const job = await client.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}`);
  expect(job.json<{ warnings: unknown }>().warnings).toContainEqual(warning);
});

test.each([
  ['a download keeps its external content', {}, true],
  ['a download loses its external content when the request removes it', { docx: { externalContent: 'remove' } }, false],
  ['an e-mail loses its external content', { email: { to: [address('external')] } }, false],
  [
    'an e-mail keeps its external content when the request keeps it',
    { docx: { externalContent: 'keep' }, email: { to: [address('kept')] } },
    true,
  ],
])('%s', async (_name, output, isKept) => {
  const answer = await generate(output);
  expect(answer.status).toBe(200);
  expect(docxText(answer.bytes)).toContain('Dear Ada');
  expect(relationships(answer.bytes).includes('pictures.example')).toBe(isKept);
});

test('the rows of a batch use its option or their own', async () => {
  const items = [{ data: { name: 'Ada' } }, { data: { name: 'Bob' }, output: { docx: { externalContent: 'keep' } } }];
  const body = JSON.stringify({ items, output: { docx: { externalContent: 'remove' } }, bundle: 'none' });
  const path = `/v1/templates/${id}/batches`;
  const json = await client.call('POST', path, { body, headers: { 'Content-Type': 'application/json' } });
  const streamed = await send(client, `${path}?externalContent=remove&bundle=none`, lines([{ name: 'Cyd' }]));
  const isKept = async (batch: Batch) => {
    await ended(client, batch.id);
    const found = await itemsOf(client, batch.id);
    const files = found.map(({ jobId }) => client.call('GET', `/v1/jobs/${jobId}/content`));
    return (await Promise.all(files)).map(({ bytes }) => relationships(bytes).includes('pictures.example'));
  };
  expect(await isKept(json.json<Batch>())).toEqual([false, true]);
  expect(await isKept(streamed.json<Batch>())).toEqual([false]);
});
