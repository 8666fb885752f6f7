import { createHash, randomUUID } from 'node:crypto';
import { PDF } from '@libpdf/core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, type ApiClient, expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { csv, ended, itemsOf, lines, ndjson, send } from '../batches/batch-client.ts';
import { bill, billPage, invoiceMap } from './mapped-invoice.ts';
import { address, letter } from './samples.ts';

const { newClient, clientOf, mailbox, operator } = await useService(inject('stack'));
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = await upload(client, letter(...billPage));
});

async function upload(
  by: ApiClient,
  template: Buffer,
  mapping: object = invoiceMap,
  name = 'Bill.docx',
): Promise<string> {
  const body = uploadForm(name, template);
  body.append('invoiceMap', JSON.stringify(mapping));
  const answer = await by.call('PUT', '/v1/templates', { body });
  expect(answer.status, answer.bytes.toString()).toBe(201);
  return answer.json<{ id: string }>().id;
}

const alone = { format: 'xml', xml: { profile: 'xrechnung' } } as const;
const hybrid = { format: 'pdf', pdf: { invoice: { format: 'zugferd', profile: 'xrechnung' } } } as const;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const content = (job: string, by: ApiClient = client): Promise<Answer> => by.call('GET', `/v1/jobs/${job}/content`);

async function verdictOn(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const answer = await client.call('POST', '/v1/invoices/validate', { body: uploadForm('invoice', bytes) });
  expect(answer.status, answer.bytes.toString()).toBe(200);
  return answer.json();
}

async function xmlIn(bytes: Uint8Array): Promise<string> {
  const file = await PDF.load(bytes);
  return Buffer.from(file.getAttachment('xrechnung.xml') ?? []).toString();
}

async function finished(start: Answer): Promise<Record<string, unknown>> {
  expect(start.status, start.bytes.toString()).toBe(202);
  const job = start.json<{ id: string }>().id;
  const read = async () => (await client.call('GET', `/v1/jobs/${job}`)).json<Record<string, unknown>>();
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toMatch(/succeeded|failed/);
  return read();
}

test.each([
  ['the XML alone', alone, 'Bill.xml', 'application/xml'],
  ['a hybrid PDF', hybrid, 'Bill.pdf', 'application/pdf'],
])('%s arrives by e-mail as it was generated', async (_, output, filename, mimeType) => {
  const to = address('invoices');
  const answer = await client.generate(id, { data: bill, output: { ...output, email: { to: [to] } } });
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(200);
  await expect.poll(async () => (await mailbox.to(to)).length, { timeout: 60_000 }).toBe(1);
  const [mail] = await mailbox.to(to);
  expect(mail?.attachments).toMatchObject([{ filename, mimeType }]);
  const received = Buffer.from(mail?.attachments[0]?.content as ArrayBuffer);
  expect(received.equals(answer.bytes)).toBe(true);
  expect(await verdictOn(received)).toMatchObject({ valid: true, profile: 'XRECHNUNG' });
});

test('a job has the bytes of the answer, and a receipt that names them', async () => {
  for (const output of [alone, hybrid]) {
    const direct = await client.generate(id, { data: bill, output });
    const job = await finished(await client.start(id, { data: bill, output }));
    expect(job).toMatchObject({ status: 'succeeded', format: output.format, warnings: [] });
    const file = await content(String(job.id));
    expect(file.bytes.equals(direct.bytes)).toBe(true);
    const receipt = (await client.call('GET', `/v1/jobs/${job.id}/receipt`)).json<{ receipt: object }>();
    expect(receipt.receipt).toMatchObject({ result: { sha256: sha256(file.bytes) } });
    expect(JSON.stringify(receipt)).toContain('"profile":"xrechnung"');
  }
});

test('a job with an invoice that breaks a rule fails with the rule', async () => {
  const job = await finished(await client.start(id, { data: { ...bill, total: '1.00' }, output: alone }));
  expect(job).toMatchObject({ status: 'failed', error: { details: [{ rule: 'BR-CO-15' }] } });
});

test('a repeated request gets the same invoice; another invoice with its key is a conflict', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await client.generate(id, { data: bill, output: alone }, headers);
  const again = await client.generate(id, { data: bill, output: alone }, headers);
  expect(again.headers.get('document-id')).toBe(first.headers.get('document-id'));
  expect(again.bytes.equals(first.bytes)).toBe(true);
  const others = [
    { data: { ...bill, number: '2026-115' }, output: alone },
    { data: bill, output: { format: 'xml', xml: { profile: 'peppol' } } },
    { data: bill, output: hybrid },
  ];
  for (const other of others) expectProblem(await client.generate(id, other, headers), 409);
});

test('a test key marks the pages and the note, also of batches, and no live key gets its invoice', async () => {
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', { account: client.accountId, kind: 'test' });
  const tester = clientOf(apiKey);
  const live = await client.generate(id, { data: bill, output: alone });
  expect(live.bytes.toString()).not.toContain('TEST');
  const xml = await tester.generate(id, { data: bill, output: alone });
  expect(xml.bytes.toString()).toContain('TEST. This is not an invoice.');
  expect(await verdictOn(xml.bytes)).toMatchObject({ valid: true });
  const pdf = await tester.generate(id, { data: bill, output: hybrid });
  expect(pdf.bytes.toString('latin1')).toContain('/Subtype/Watermark');
  expect(await xmlIn(pdf.bytes)).toContain('TEST. This is not an invoice.');
  const given = { ...alone, xml: { ...alone.xml, content: live.bytes.toString('base64') } };
  expect((await tester.generate(id, { data: bill, output: given })).bytes.equals(live.bytes)).toBe(true);
});

describe('a hybrid PDF', () => {
  test('of both engines conforms, with included templates and PDFs after its pages', async () => {
    const terms = await client.template('Terms.docx', letter('Terms of {number}'));
    const including = await client.template('Included.docx', letter(...billPage, '{include "Terms"}'));
    expect(terms.id).not.toBe(including.id);
    const plain = await client.generate(terms.id, { data: { number: 1 }, output: { format: 'pdf' } });
    const append = [{ content: plain.bytes.toString('base64') }];
    const made = await client.generate(id, { data: bill, output: alone });
    for (const engine of ['auto', 'office']) {
      const invoice = { ...hybrid.pdf.invoice, content: made.bytes.toString('base64') };
      const output = { format: 'pdf', pdf: { engine, append, onNonconformance: 'error', invoice } };
      const answer = await client.generate(including.id, { data: bill, output });
      expect(answer.status, answer.bytes.toString('utf8').slice(0, 1_000)).toBe(200);
      expect((await PDF.load(answer.bytes)).getPageCount()).toBe(2);
      expect(await xmlIn(answer.bytes)).toBe(made.bytes.toString());
      expect(await verdictOn(answer.bytes)).toMatchObject({ valid: true });
    }
  });

  test('does not report data that only the mapping reads', async () => {
    const own = await newClient();
    const short = await upload(own, letter('Bill {number}'));
    const warnings = async (data: object, output: object) => {
      const answer = await own.generate(short, { data, output });
      expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(200);
      const job = await own.call('GET', `/v1/jobs/${answer.headers.get('document-id')}`);
      return job.json<{ warnings: { code: string }[] }>().warnings.filter(({ code }) => code === 'unused_data');
    };
    const partly = { format: 'pdf', pdf: { invoice: { ...hybrid.pdf.invoice, onDifference: 'warn' } } };
    const { net: _net, tax: _tax, ...mapped } = bill;
    expect(await warnings(mapped, partly)).toEqual([]);
    expect(await warnings({ ...mapped, colour: 'red' }, partly)).toMatchObject([
      { code: 'unused_data', message: expect.stringMatching(/^1 key .*data\.colour/) },
    ]);
    expect(await warnings(bill, { format: 'pdf' })).toMatchObject([{ code: 'unused_data' }]);
  });
});

describe('rows of', () => {
  const path = (query: string) => `/v1/templates/${id}/batches?bundle=none&${query}`;
  const rows = lines([bill, { ...bill, number: '2026-115' }, { ...bill, total: '1.00' }]);

  async function filesOf(accepted: Answer): Promise<readonly Buffer[]> {
    expect(accepted.status, accepted.bytes.toString()).toBe(202);
    const batch = accepted.json<{ id: string }>().id;
    expect(await ended(client, batch)).toMatchObject({ status: 'completed', counts: { succeeded: 2, failed: 1 } });
    const items = await itemsOf(client, batch);
    expect(items[2]?.error?.details).toMatchObject([{ rule: 'BR-CO-15' }]);
    return await Promise.all(items.slice(0, 2).map(async ({ jobId }) => (await content(jobId)).bytes));
  }

  test('NDJSON get an XML or a hybrid PDF each', async () => {
    const xml = await filesOf(await send(client, path('format=xml&invoiceProfile=peppol'), rows, ndjson));
    for (const file of xml) expect(await verdictOn(file)).toMatchObject({ valid: true, profile: 'PEPPOL BIS 3' });
    expect(xml[1]?.toString()).toContain('2026-115');
    const query = 'format=pdf&invoiceProfile=xrechnung&invoiceFormat=zugferd&invoiceRelationship=Source';
    for (const file of await filesOf(await send(client, path(query), rows, ndjson)))
      expect(await verdictOn(file)).toMatchObject({ valid: true, attachment: { relationship: 'Source' } });
  });

  test('CSV get an XML each', async () => {
    const flat = { ...invoiceMap, 'BG-25': { ...invoiceMap['BG-25'], each: undefined } };
    const template = await upload(
      client,
      letter('Bill {number} {name} {hours} {rate} {customer} {total}'),
      flat,
      'Flat.docx',
    );
    const rowsOfCsv =
      'number,date,due,customer,total,name,hours,rate\nR-1,2026-11-29,2026-12-29,Süd,119.00,Consulting,1,100\n';
    const query = `/v1/templates/${template}/batches?bundle=none&format=xml&invoiceProfile=xrechnung&invoiceSyntax=ubl`;
    const accepted = await send(client, query, rowsOfCsv, csv);
    expect(accepted.status, accepted.bytes.toString()).toBe(202);
    const batch = accepted.json<{ id: string }>().id;
    expect(await ended(client, batch)).toMatchObject({ counts: { succeeded: 1 } });
    const [item] = await itemsOf(client, batch);
    const file = await content(item?.jobId ?? '');
    expect(await verdictOn(file.bytes)).toMatchObject({ valid: true, syntax: 'ubl-invoice', profile: 'XRECHNUNG' });
  });

  test.each([
    ['format=xml', /^invoiceProfile: is missing/],
    ['format=xml&invoiceProfile=basic', /^invoiceProfile: must be .* for XML/],
    ['format=pdf&invoiceProfile=peppol', /^invoiceProfile: must be .* for PDFs/],
    ['invoiceProfile=basic', /^invoiceProfile: can only be given when format is pdf or xml/],
    ['format=pdf&invoiceFormat=zugferd', /^invoiceFormat: needs invoiceProfile/],
    ['format=pdf&invoiceProfile=basic&invoiceSyntax=ubl', /^invoiceSyntax: can only be given when format is xml/],
    ['format=xml&invoiceProfile=peppol&invoiceSyntax=cii', /^invoiceSyntax: must be ubl/],
    ['format=pdf&bundle=pdf&invoiceProfile=basic', /bundle/],
  ])('NDJSON with %s are refused', async (query, message) => {
    expectProblem(await send(client, `/v1/templates/${id}/batches?${query}`, rows, ndjson), 400, message);
  });
});

test('an invoice is erased with its document', async () => {
  const { operatorKey } = await operator.run<{ operatorKey: string }>('create-operator-key', { name: 'Erasure' });
  const admin = clientOf(operatorKey);
  const made = await client.generate(id, { data: bill, output: alone });
  const given = { ...alone, xml: { ...alone.xml, content: made.bytes.toString('base64') } };
  for (const output of [alone, given]) {
    const { id: job } = await finished(await client.start(id, { data: bill, output }));
    expect((await content(String(job))).bytes.equals(made.bytes)).toBe(true);
    const erasure = await admin.call('POST', '/v1/admin/erasures', { json: { document: String(job) } });
    expect(erasure.status, erasure.bytes.toString()).toBe(202);
    const path = `/v1/admin/erasures/${erasure.json<{ erasureId: string }>().erasureId}`;
    const state = async () => (await admin.call('GET', path)).json<{ state: string }>().state;
    await expect.poll(state, { timeout: 60_000, interval: 500 }).toBe('succeeded');
    expect([404, 410]).toContain((await content(String(job))).status);
  }
});
