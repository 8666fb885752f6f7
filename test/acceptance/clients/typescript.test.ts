import { createHash } from 'node:crypto';
import { ConflictError, Docmill, NotFoundError, TemplateError } from '@docmill/client';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const { newClient, url } = await useService(inject('stack'));

const docx = (text: string) => new Uint8Array(buildDocx({ body: paragraph(text) }));
const letter = docx('Dear {name}');
const names = ['Ada', 'Grace', 'Joan'];
let docmill: Docmill;
let templateId: string;

const charged = async () => 1_000 - (await docmill.account.quotas()).remaining.total.docs;
const startOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString('latin1');

beforeAll(async () => {
  docmill = new Docmill({ baseUrl: url, apiKey: (await newClient()).apiKey, retryDelayMs: 20 });
  templateId = (await docmill.templates.upload('letter.docx', letter)).id;
});

test('a template can be managed from upload to deletion', async () => {
  const { templates } = docmill;
  expect((await templates.validate(letter, { sampleData: { name: 'Ada' } })).valid).toBe(true);
  const { id } = await templates.upload('draft.docx', new Blob([letter]));
  expect((await templates.schema(id)).schema).toMatchObject({ properties: { name: { type: 'string' } } });
  expect((await templates.rename(id, 'final.docx')).name).toBe('final.docx');
  expect((await templates.replace(id, 'final.docx', docx('{a}'))).version).toBe(2);
  expect((await templates.promote(id, 1)).version).toBe(1);
  expect(Buffer.from(await templates.downloadVersion(id, 1))).toEqual(Buffer.from(letter));
  expect((await templates.versions(id, { limit: 1 }).all()).map(({ version }) => version)).toEqual([2, 1]);
  expect(await templates.find('final.docx')).toMatchObject({ id, name: 'final.docx' });
  expect(await templates.find('final')).toMatchObject({ id });
  await expect(templates.find('fin')).rejects.toThrow(NotFoundError);
  const other = await templates.upload('final.docx', letter);
  await expect(templates.find('final.docx')).rejects.toThrow(ConflictError);
  for (const one of [id, other.id]) await templates.delete(one);
  await expect(templates.get(id)).rejects.toThrow(NotFoundError);
});

test('a template is uploaded by its name', async () => {
  const { templates } = docmill;
  const put = (text: string, options = {}) => templates.put('named.docx', docx(text), options);
  const first = await put('{a}', { ifNoneMatch: '*' });
  expect(await put('{a}')).toMatchObject({ id: first.id, version: 1 });
  await expect(put('{b}', { ifNoneMatch: '*' })).rejects.toThrow(ConflictError);
  await expect(put('{b}', { strictSchema: true })).rejects.toThrow(TemplateError);
  const { entityTag } = await templates.getWithEtag(first.id);
  expect(await put('{b}', { ifMatch: entityTag })).toMatchObject({ id: first.id, version: 2 });
  await expect(put('{c}', { ifMatch: entityTag })).rejects.toThrow(ConflictError);
  await templates.upload('named.docx', letter);
  await expect(put('{b}')).rejects.toThrow(first.id);
});

test('a template is used by its name, with or without its ending', async () => {
  const owner = await newClient();
  const { templates, batches, jobs } = new Docmill({ baseUrl: url, apiKey: owner.apiKey });
  const { id } = await templates.put('named.docx', letter);
  const data = { name: 'Ada' };
  for (const name of ['named.docx', 'named']) {
    const document = await templates.generate(name, data);
    await document.bytes();
    expect(await jobs.get(document.id)).toMatchObject({ templateId: id });
    expect(await templates.start(name, data)).toMatchObject({ templateId: id });
    expect((await templates.preview({ templateId: name, data })).pageCount).toBe(1);
    expect(await batches.quote(name, [{ data }])).toMatchObject({ cost: 1 });
  }
  const batch = await batches.create('named', [{ data }]);
  expect(await batch.wait()).toMatchObject({ status: 'completed', counts: { succeeded: 1 } });
  await expect(templates.generate('name', data)).rejects.toThrow('There is no template with the name name.docx');
  await templates.upload('named.docx', letter);
  await expect(templates.generate('named', data)).rejects.toThrow('Several templates have the name named.docx');
  expect((await owner.quotas()).remaining.total.docs).toBe(995);
});

test('a document is returned as bytes, as a stream, as a job and, without a charge, as a preview', async () => {
  const before = await charged();
  const pdf = await docmill.templates.generate(templateId, { name: 'Ada' }, { format: 'pdf', filename: 'ada.pdf' });
  expect(pdf).toMatchObject({ contentType: 'application/pdf', filename: 'ada.pdf', warningCount: 0 });
  expect(pdf.timings.total).toBeGreaterThan(0);
  expect(await pdf.warnings()).toEqual([]);
  expect(startOf(await pdf.bytes())).toBe('%PDF-');
  const { stream } = await docmill.templates.generate(templateId, { name: 'Ada' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(startOf(Buffer.concat(chunks))).toMatch(/^PK/);

  const started = await docmill.templates.start(templateId, { name: 'Ada' }, { format: 'pdf' });
  const job = await docmill.jobs.wait(started.id);
  expect(job).toMatchObject({ id: started.id, status: 'succeeded', format: 'pdf' });
  const bytes = await docmill.jobs.download(job.id);
  const { receipt } = await docmill.jobs.receipt(job.id);
  expect(receipt).toMatchObject({ result: { sha256: createHash('sha256').update(bytes).digest('hex') } });

  const preview = await docmill.templates.preview({ templateId, data: { name: 'Ada' } });
  expect([startOf(preview.bytes), preview.pageCount]).toEqual(['%PDF-', 1]);
  expect(await charged()).toBe(before + 3);
});

describe('a batch', () => {
  const inputs = {
    'an array': () => names.map((name) => ({ data: { name }, output: { filename: `${name}.docx` } })),
    'an async iterable': async function* () {
      for (const name of names) yield { name };
    },
  };

  test.each(Object.entries(inputs))('makes a document for each row of %s and reports its progress', async (_, open) => {
    const before = await charged();
    const batch = await docmill.batches.create(templateId, open());
    const seen: number[] = [];
    const end = await batch.wait({ onProgress: ({ counts }) => seen.push(counts.succeeded) });
    expect(end).toMatchObject({ status: 'completed', counts: { succeeded: names.length, failed: 0 } });
    expect(seen.at(-1)).toBe(names.length);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const rows = await docmill.batches.rows(batch.id, { limit: 2 }).all();
    expect(rows).toMatchObject(names.map((_name, index) => ({ row: index + 1, status: 'succeeded' })));
    expect(startOf(await docmill.batches.download(batch.id))).toMatch(/^PK/);
    expect(await charged()).toBe(before + names.length);
  });
});
