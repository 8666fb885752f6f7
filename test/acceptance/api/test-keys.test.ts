import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Answer, type ApiClient, expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText, partOf } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { address, letter } from './samples.ts';

const { newClient, clientOf, mailbox, operator } = await useService(inject('stack'));
const template = buildDocx({
  headers: [paragraph('Header of {name}')],
  body: [paragraph('Dear {name}'), '<w:p><w:r><w:br w:type="page"/></w:r></w:p>', paragraph('Page two')].join(''),
});

let live: TestClient;
let tester: ApiClient;
let templateId: string;
beforeAll(async () => {
  live = await newClient({ docs: 20, templates: 20 });
  tester = clientOf((await newTestKey(live.accountId)).apiKey);
  templateId = (await live.template('letter.docx', template)).id;
});

const newTestKey = (account: string) =>
  operator.run<{ keyId: string; apiKey: string; isTest: boolean }>('create-key', { account, kind: 'test' });

const data = { name: 'Ada' };
const pdf = (client: ApiClient, more: object = {}, id = templateId) =>
  client.generate(id, { data, output: { format: 'pdf', ...more } });

/** The text of each page, with the position of each piece. */
async function layoutOf(file: Uint8Array): Promise<unknown[]> {
  const document = await getDocument({ data: new Uint8Array(file) }).promise;
  const pages = Array.from({ length: document.numPages }, async (_, i) => {
    const { items } = await (await document.getPage(i + 1)).getTextContent();
    return items.map((item) => ('str' in item ? [item.str, item.transform] : []));
  });
  return await Promise.all(pages);
}

const marksOf = (file: Uint8Array) => Buffer.from(file).toString('latin1').split('/Subtype/Watermark').length - 1;
const jobOf = async (answer: Answer) =>
  (await live.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}`)).json<Record<string, unknown>>();

test('documents of a test key are free: they need no quota, and neither quota nor usage changes', async () => {
  const poor = await newClient({ docs: 0, templates: 1 });
  const { id } = await poor.template('a.docx', letter('{name}'));
  const { apiKey, isTest } = await newTestKey(poor.accountId);
  expect([apiKey.slice(0, 9), isTest]).toEqual(['dts_test_', true]);
  expectProblem(await poor.generate(id, { data }), 402);
  const free = clientOf(apiKey);
  const before = await poor.quotas();
  expect((await free.generate(id, { data })).status).toBe(200);
  expect((await pdf(free, {}, id)).status).toBe(200);
  expect(await poor.quotas()).toEqual(before);
  const { totals } = (await poor.call('GET', '/v1/account/usage')).json<{ totals: unknown }>();
  expect(totals).toEqual({ documents: 0, pages: 0, bytes: 0, failures: 0, cancelled: 0 });
});

test('a PDF has the watermark on each page; text, pages and positions are the same as with a live key', async () => {
  const [ofTest, ofLive] = [await pdf(tester), await pdf(live)];
  expect([marksOf(ofTest.bytes), marksOf(ofLive.bytes)]).toEqual([2, 0]);
  const layout = await layoutOf(ofLive.bytes);
  expect(layout).toHaveLength(2);
  expect(await layoutOf(ofTest.bytes)).toEqual(layout);
  expect((await pdf(tester)).bytes.equals(ofTest.bytes)).toBe(true);
});

test('a .docx has the watermark behind its text, and the same layout', async () => {
  const { id } = await live.template('source.docx', template);
  // Each file becomes a template itself, to see how LibreOffice lays it out.
  const request = { data: { name: '{again}' } };
  const [ofTest, ofLive] = [await tester.generate(id, request), await live.generate(id, request)];
  expect(partOf(ofTest.bytes, 'word/header1.xml')).toContain('string="TEST"');
  expect(docxText(ofTest.bytes)).toBe(docxText(ofLive.bytes));
  const layouts = [];
  for (const { bytes } of [ofTest, ofLive]) {
    const again = await live.template('again.docx', bytes);
    const answer = await live.generate(again.id, { data: { again: 'Ada' }, output: { format: 'pdf' } });
    layouts.push(await layoutOf(answer.bytes));
  }
  expect(layouts[0]).toEqual(layouts[1]);
});

test('archived, accessible and protected PDFs have the watermark too, and conform like those of a live key', async () => {
  const output = { pdf: { archive: 'PDF/A-2b', accessible: true } };
  const answers = [await pdf(tester, output), await pdf(live, output)];
  const [ofTest, ofLive] = await Promise.all(answers.map(jobOf));
  expect(marksOf(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(2);
  expect(ofTest?.conformance).toBeDefined();
  expect(ofTest?.conformance).toEqual(ofLive?.conformance);
  expect((await pdf(tester, { pdf: { password: 'secret' } })).status).toBe(200);
});

test('the job and the receipt are marked as those of a test key', async () => {
  for (const [client, expected] of [
    [tester, true],
    [live, undefined],
  ] as const) {
    const answer = await client.start(templateId, { data });
    const { id, test: mark } = answer.json<{ id: string; test?: boolean }>();
    expect(mark).toBe(expected);
    const job = async () => (await live.call('GET', `/v1/jobs/${id}`)).json<{ status: string; test?: boolean }>();
    await expect.poll(job).toMatchObject({ status: 'succeeded' });
    expect((await job()).test).toBe(expected);
    const { receipt } = (await live.call('GET', `/v1/jobs/${id}/receipt`)).json<{ receipt: { test?: boolean } }>();
    expect(receipt.test).toBe(expected);
  }
});

test('a live key never gets the document of a test key for its Idempotency-Key, nor the reverse', async () => {
  const headers = { 'Idempotency-Key': 'same' };
  expect((await tester.generate(templateId, { data }, headers)).status).toBe(200);
  expectProblem(await live.generate(templateId, { data }, headers), 409);
});

test('a test key sends no e-mail: the delivery is recorded as skipped, and neither kind of key can resend it', async () => {
  const [to, bcc] = [address(), address('bcc')];
  const answer = await tester.generate(templateId, { data, output: { email: { to: [to], bcc: [bcc] } } });
  expect(answer.status).toBe(200);
  const path = `/v1/deliveries/${answer.headers.get('Email-Delivery-Id')}`;
  expect((await tester.call('GET', path)).json()).toMatchObject({
    status: 'skipped',
    attempts: 0,
    recipients: [to, bcc].map((recipient) => ({ address: recipient, status: 'skipped' })),
    reply: 'not sent: the document was requested with a test key',
    finishedAt: expect.any(String),
  });
  const timeline = await tester.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}/timeline`);
  expect(timeline.bytes.toString('utf8')).toMatch(/"step":"email","status":"cancelled"/);
  expectProblem(await live.call('POST', `${path}/resend`), 409, /requested with a test key/);
  const refused = await tester.call('POST', `${path}/resend`);
  expectProblem(refused, 403, /Test keys send no e-mail/);
  expect(refused.headers.get('Error-Code')).toBe('test_key');
  const rows = { json: { items: [{ data }] } };
  expectProblem(await tester.call('POST', `/v1/templates/${templateId}/batches`, rows), 403, /single documents/);
  // A later e-mail of the account has arrived, so an earlier one would have arrived too.
  const next = address();
  expect((await live.generate(templateId, { data, output: { email: { to: [next] } } })).status).toBe(200);
  await expect.poll(async () => (await mailbox.to(next)).length).toBe(1);
  expect([await mailbox.to(to), await mailbox.to(bcc)]).toEqual([[], []]);
});
