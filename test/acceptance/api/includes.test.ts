import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { type Batch, ended, itemsOf } from '../batches/batch-client.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
beforeAll(async () => {
  client = await newClient({ docs: 100, templates: 20 });
});

const company = buildDocx({ body: paragraph('{""}'), headers: [paragraph('{company} AG')] });
const main = letter('{letterhead "company"}', 'Dear {name},', '{include "terms" with contract}', 'Yours');
const data = { company: 'Acme', name: 'Ada', contract: { days: 30 } };
type Job = Readonly<Record<string, unknown>>;

test('a letter includes clauses and a letterhead in the versions that are current at its acceptance', async () => {
  await client.template('company.docx', company);
  const terms = await client.template('terms.docx', letter('Pay within {days} days.'));
  const uploaded = await client.upload('letter.docx', main);
  expect(uploaded.status).toBe(201);
  const template = uploaded.json<{ id: string; tags: string[] }>();
  expect(template.tags).toEqual(['company', 'contract', 'contract.days', 'name']);
  const { example } = (await client.call('GET', `/v1/templates/${template.id}/schema`)).json<{ example: Job }>();
  expect(example).toMatchObject({ contract: { days: expect.anything() }, company: expect.anything() });

  const included = async () => (await client.call('GET', `/v1/templates/${template.id}`)).json<Job>().includes;
  const thumbnail = () => client.call('GET', `/v1/templates/${template.id}/thumbnail?version=1`);
  expect(await included()).toEqual([
    { name: 'company', status: 'found', templateId: expect.any(String), version: 1 },
    { name: 'terms', status: 'found', templateId: terms.id, version: 1 },
  ]);
  const [drawn, again] = [await thumbnail(), await thumbnail()];
  expect([drawn.status, again.headers.get('ETag')]).toEqual([200, drawn.headers.get('ETag')]);
  expect(drawn.headers.get('Cache-Control')).toBe('private, no-cache');

  const made = await client.generate(template.id, { data });
  expect(docxText(made.bytes)).toContain('Pay within 30 days.');
  const job = (await client.call('GET', `/v1/jobs/${made.headers.get('document-id')}`)).json<Job>();
  expect(job.includes).toMatchObject([
    { name: 'company', version: 1 },
    { name: 'terms', templateId: terms.id, version: 1 },
  ]);
  const { receipt } = (await client.call('GET', `/v1/jobs/${job.id}/receipt`)).json<{ receipt: Job }>();
  expect(receipt.includes).toMatchObject([
    { name: 'company' },
    { id: terms.id, version: 1, sha256: expect.any(String) },
  ]);

  const changed = await client.reupload(terms.id, 'terms.docx', letter('Pay at once, not in {days} days.'));
  expect(changed.status).toBe(200);
  expect(await included()).toMatchObject([{ name: 'company' }, { name: 'terms', version: 2 }]);
  expect((await thumbnail()).headers.get('ETag')).not.toBe(drawn.headers.get('ETag'));
  expect(docxText((await client.generate(template.id, { data })).bytes)).toContain('Pay at once, not in 30 days.');
  const pdf = await client.generate(template.id, { data, output: { format: 'pdf' } });
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  const preview = await client.call('POST', '/v1/templates/preview', { json: { templateId: template.id, data } });
  expect([preview.status, preview.headers.get('page-count')]).toEqual([200, '1']);

  const before = (await client.quotas()).remaining.total.docs;
  const wrong = await client.generate(template.id, { data: { contract: { days: {} } } });
  const [detail] = expectProblem(wrong, 400).details ?? [];
  expect(detail).toMatchObject({ path: 'data.contract.days' });
  expect(detail?.message).toContain('In the included template "terms"');
  expect((await client.call('DELETE', `/v1/templates/${terms.id}`)).status).toBe(204);
  const refused = expectProblem(await client.generate(template.id, { data }), 400, 'Template validation errors');
  expect(refused.details).toMatchObject([{ message: 'The account has no template "terms".' }]);
  expect((await client.quotas()).remaining.total.docs).toBe(before);
  expect(await included()).toMatchObject([{ name: 'company' }, { name: 'terms', status: 'missing' }]);
});

test('the rows of a batch include the versions that are current at its acceptance', async () => {
  await client.template('row terms.docx', letter('Terms: {days}'));
  const { id } = await client.template('rows.docx', letter('{include "row terms" with contract}'));
  const json = { items: [{ data }, { data }], bundle: 'none' };
  const batch = (await client.call('POST', `/v1/templates/${id}/batches`, { json })).json<Batch>();
  expect((await ended(client, batch.id)).counts.succeeded).toBe(2);
  for (const { jobId } of await itemsOf(client, batch.id)) {
    const job = (await client.call('GET', `/v1/jobs/${jobId}`)).json<Job>();
    expect(job.includes).toMatchObject([{ name: 'row terms', version: 1 }]);
  }
});
