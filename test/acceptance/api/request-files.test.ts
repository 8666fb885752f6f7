import { PDF } from '@libpdf/core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import { ended } from '../batches/batch-client.ts';
import { address, letter } from './samples.ts';

const { newClient, mailbox } = await useService(inject('stack'));
const xml = Buffer.from('<order>7</order>');
const table = Buffer.from('a;b\n1;2\n');
let client: TestClient;
let id: string;
/** A PDF with one page, also stored as terms.pdf; and the same file with a password. */
let terms: Buffer;
let locked: Buffer;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('Offer.docx', letter('Dear {name}'))).id;
  const other = (await client.template('Terms.docx', letter('Terms of {year}'))).id;
  const made = (pdf?: object) => client.generate(other, { data: { year: 2026 }, output: { format: 'pdf', pdf } });
  [terms, locked] = [(await made({ archive: 'PDF/A-3b' })).bytes, (await made({ password: 'x' })).bytes];
  await store('terms.pdf', terms);
  await store('locked.pdf', locked);
  await store('table.csv', table, 'file');
});

async function store(name: string, file: Uint8Array, kind?: string): Promise<{ readonly type: string }> {
  const body = uploadForm(name, file);
  if (kind !== undefined) body.append('kind', kind);
  const answer = await client.call('POST', '/v1/assets', { body });
  expect(answer.status, answer.bytes.toString()).toBe(201);
  return answer.json();
}

const generate = (output: object): Promise<Answer> => client.generate(id, { data: { name: 'Ada' }, output });
const pdf = (options: object): Promise<Answer> => generate({ format: 'pdf', pdf: options });
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function made(answer: Answer): Promise<{ readonly file: PDF; readonly job: Record<string, unknown> }> {
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(200);
  const job = await client.call('GET', `/v1/jobs/${answer.headers.get('document-id')}`);
  return { file: await PDF.load(answer.bytes), job: job.json() };
}

const attachments = [
  {
    name: 'Bestellung ü.xml',
    mediaType: 'application/xml',
    relationship: 'Data',
    description: 'The order',
    content: base64(xml),
  },
  { name: 'table.csv', mediaType: 'text/csv', asset: 'table.csv' },
];

describe('attachments', () => {
  test('are in the PDF as they were sent or stored, and PDF/A-3b is kept', async () => {
    const answer = await pdf({ archive: 'PDF/A-3b', accessible: true, onNonconformance: 'error', attachments });
    const { file, job } = await made(answer);
    expect(job).toMatchObject({ conformance: { passed: true }, warnings: [] });
    const found = [...file.getAttachments().keys()].sort();
    expect(found).toEqual(['Bestellung ü.xml', 'table.csv']);
    expect(Buffer.from(file.getAttachment('Bestellung ü.xml') ?? [])).toEqual(xml);
    expect(Buffer.from(file.getAttachment('table.csv') ?? [])).toEqual(table);
    expect((await pdf({ archive: 'PDF/A-3b', accessible: true, attachments })).bytes.equals(answer.bytes)).toBe(true);
    const receipt = await client.call('GET', `/v1/jobs/${answer.headers.get('document-id')}/receipt`);
    const { options } = receipt.json<{ receipt: { options: { pdf: { attachments: unknown[] } } } }>().receipt;
    expect(options.pdf.attachments).toMatchObject([{ content: { size: xml.length } }, { asset: 'table.csv' }]);
  });

  test('are readable with the password of the file', async () => {
    const { bytes } = await pdf({ password: 'secret', attachments });
    const file = await PDF.load(bytes, { credentials: 'secret' });
    expect(Buffer.from(file.getAttachment('table.csv') ?? [])).toEqual(table);
  });
});

describe('own PDFs', () => {
  test('come before and after the pages of the document', async () => {
    const append = [{ asset: 'terms.pdf' }, { asset: 'terms.pdf' }];
    const answer = await pdf({ prepend: [{ content: base64(terms) }], append });
    const { file, job } = await made(answer);
    expect(file.getPageCount()).toBe(4);
    expect(job).toMatchObject({ pages: 4 });
    const text = (await pdfText(answer.bytes)).replace(/\s+/g, ' ').trim();
    expect(text).toBe('Terms of 2026 Dear Ada Terms of 2026 Terms of 2026');
  });

  test('keep PDF/A if they conform to it; lost tags are a warning, and a failure of PDF/UA', async () => {
    const append = [{ asset: 'terms.pdf' }];
    const archived = await made(await pdf({ archive: 'PDF/A-3b', onNonconformance: 'error', append }));
    expect(archived.job).toMatchObject({ conformance: { passed: true } });
    expect(archived.job.warnings).toMatchObject([
      { code: 'joined_pdf_reduced', message: expect.stringMatching(/output\.pdf\.append\[0\] without its tags/) },
    ]);
    expectProblem(await pdf({ accessible: true, onNonconformance: 'error', append }), 400, /PDF\/UA-1/);
  });

  test.each([
    ['an asset that does not exist', 'append', { asset: 'none.pdf' }, '.asset', /does not exist/],
    ['an encrypted file', 'append', { asset: 'locked.pdf' }, '', /is encrypted/],
    ['another file', 'prepend', { asset: 'table.csv' }, '', /is not a PDF/],
    ['a damaged file', 'prepend', { content: () => terms.subarray(0, terms.length / 2) }, '', /is damaged/],
  ])('%s is refused with its place, free of charge', async (_title, field, file, at, message) => {
    const before = await client.quotas();
    const sent = 'content' in file ? { content: base64(file.content()) } : file;
    const { details } = expectProblem(await pdf({ [field]: [{ asset: 'terms.pdf' }, sent] }), 400);
    const path = `output.pdf.${field}[1]${at}`;
    expect(details).toEqual([{ type: 'Field', path, message: expect.stringMatching(message) }]);
    expect(await client.quotas()).toStrictEqual(before);
  });
});

test('an e-mail has further files, also when it is sent again after the asset has changed', async () => {
  const changing = await store('price.txt', Buffer.from('old'), 'file');
  expect(changing.type).toBe('file');
  const files = [
    { name: 'price.txt', mediaType: 'text/plain', asset: 'price.txt' },
    { name: 'order.xml', mediaType: 'application/xml', content: base64(xml) },
  ];
  const [first, again] = [address('first'), address('again')];
  const answer = await generate({ format: 'docx', email: { to: [first], attachments: files } });
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(200);
  const received = async (to: string) =>
    (await mailbox.to(to)).map(({ attachments: parts }) =>
      parts.map(({ filename, mimeType, content }) => [
        filename,
        mimeType,
        Buffer.from(content as ArrayBuffer).toString(),
      ]),
    );
  const expected = [
    ['price.txt', 'text/plain', 'old'],
    ['order.xml', 'application/xml', xml.toString()],
  ];
  await expect.poll(async () => (await received(first))[0]?.slice(1), { timeout: 60_000 }).toEqual(expected);
  const body = uploadForm('price.txt', Buffer.from('new'));
  body.append('kind', 'file');
  expect((await client.call('POST', '/v1/assets', { body })).status).toBe(200);
  const documentId = answer.headers.get('document-id');
  const resent = await client.call('POST', '/v1/deliveries', { json: { documentId, to: [again] } });
  expect(resent.status, resent.bytes.toString()).toBe(202);
  await expect.poll(async () => (await received(again))[0]?.slice(1), { timeout: 60_000 }).toEqual(expected);
});

test('every row of a batch has the assets, and files in base64 are refused', async () => {
  const path = `/v1/templates/${id}/batches`;
  const item = { data: { name: 'Ada' } };
  const output = { format: 'pdf', pdf: { attachments: attachments.slice(1), append: [{ asset: 'terms.pdf' }] } };
  const order = (json: object) => client.call('POST', path, { json });
  const accepted = await order({ items: [item, item], output, bundle: 'zip' });
  expect(accepted.status, accepted.bytes.toString()).toBe(202);
  const batch = accepted.headers.get('location')?.split('/').at(-1) ?? '';
  expect(await ended(client, batch)).toMatchObject({ status: 'completed', counts: { succeeded: 2 } });
  const items = (await client.call('GET', `/v1/batches/${batch}/items`)).json<{ jobId: string }[]>();
  for (const { jobId } of items) {
    const file = await PDF.load((await client.call('GET', `/v1/jobs/${jobId}/content`)).bytes);
    expect([file.getPageCount(), [...file.getAttachments().keys()]]).toEqual([2, ['table.csv']]);
  }
  expectProblem(
    await order({ items: [item], output: { format: 'pdf', pdf: { attachments } } }),
    400,
    /attachments\[0\]/,
  );
  expectProblem(await order({ items: [item], output, bundle: 'pdf' }), 400, /attachments/);
});
