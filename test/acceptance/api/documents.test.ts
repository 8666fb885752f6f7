import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, pdfType } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText, pdfText } from '../../support/documents/document-text.ts';
import { buildDocx, footnoteReference, paragraph, run, table } from '../../support/documents/docx-builder.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { letter } from './samples.ts';

const stack = inject('stack');
const { newClient, operator } = await useService(stack);
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

const statement = buildDocx({
  headers: [paragraph('Statement {number} for {customer.name}')],
  footers: [paragraph('{customer.address.city}, {date}')],
  footnotes: [paragraph('Rate of {date}: {rate} percent')],
  body: [
    paragraph(['Dear {cust', 'omer.na', 'me},']),
    paragraph('{#isLate}Your payment is late.{/isLate}{^isLate}Thank you for paying in time.{/isLate}'),
    table([
      ['Item', 'Price'],
      ['{#items}{label}', '{price}{/items}'],
      ['Total', '{total}'],
    ]),
    paragraph('{#chapters}'),
    paragraph('Chapter {title} of {customer.name}'),
    paragraph('{#sections}'),
    paragraph('Section {title} in {#notes}<{.}>{/notes}'),
    paragraph('{/sections}'),
    paragraph('{/chapters}'),
    paragraph('{^nothing}No remarks.{/nothing}'),
    `<w:p>${run('Rate {rate}')}${footnoteReference(1)}</w:p>`,
  ].join(''),
});

const data = {
  number: 114,
  date: '20 November 2026',
  rate: 4.25,
  isLate: false,
  customer: { name: 'Ada & Söhne <GmbH>', address: { city: 'Zürich' } },
  items: [
    { label: 'Consulting', price: '1,200.00' },
    { label: 'Travel', price: '80.50' },
  ],
  total: '1,280.50',
  chapters: [
    {
      title: 'One',
      sections: [
        { title: '1.1', notes: ['a', 'b'] },
        { title: '1.2', notes: [] },
      ],
    },
    { title: 'Two', sections: [] },
  ],
  nothing: [],
};

const bodyText = `Dear Ada & Söhne <GmbH>,
Thank you for paying in time.
Item
Price
Consulting
1,200.00
Travel
80.50
Total
1,280.50
Chapter One of Ada & Söhne <GmbH>
Section 1.1 in <a><b>
Section 1.2 in \nChapter Two of Ada & Söhne <GmbH>
No remarks.
Rate 4.25`;

describe('scalars, objects, rows, nested loops and conditions in every part', () => {
  let id: string;
  beforeAll(async () => {
    id = (await client.template('Statement.docx', statement)).id;
  });

  test('are filled in a .docx', async () => {
    const { status, bytes } = await client.generate(id, { data });
    expect(status).toBe(200);
    expect(docxText(bytes)).toBe(bodyText);
    expect(docxText(bytes, 'word/header1.xml')).toBe('Statement 114 for Ada & Söhne <GmbH>');
    expect(docxText(bytes, 'word/footer1.xml')).toBe('Zürich, 20 November 2026');
    expect(docxText(bytes, 'word/footnotes.xml')).toContain('Rate of 20 November 2026: 4.25 percent');
  });

  test('are filled in a PDF', async () => {
    const { status, headers, bytes } = await client.generate(id, { data, output: { format: 'pdf' } });
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe(pdfType);
    const text = (await pdfText(bytes)).replaceAll(/[^\S\n]+/g, ' ');
    for (const line of ['Statement 114 for Ada & Söhne <GmbH>', 'Travel 80.50', 'Section 1.1 in <a><b>', 'No remarks.'])
      expect(text).toContain(line);
    expect(text).toMatch(/Rate of 20 November 2026: 4.25 percent/);
    expect(text).not.toMatch(/[{}]|undefined|late\./);
  });
});

test.each([
  [{}, 'Angebot für Kunden.docx', 'Angebot fur Kunden.docx'],
  [{ format: 'pdf' }, 'Angebot für Kunden.pdf', 'Angebot fur Kunden.pdf'],
  [{ format: 'pdf', filename: 'offer.docx' }, 'offer.docx.pdf', 'offer.docx.pdf'],
  [{ filename: '../../a"\r\nSet-Cookie: x=1' }, 'aSet-Cookie x=1.docx', 'aSet-Cookie x=1.docx'],
])('the file of %j is called %s', async (output, name, plain) => {
  const before = await client.template('before.docx', letter('{x}'));
  await client.call('PUT', `/v1/templates/${before.id}`, { json: { name: 'Angebot für Kunden.DOCX' } });
  const { headers } = await client.generate(before.id, { data: {}, output });
  const encoded = encodeURIComponent(name);
  expect(headers.get('Content-Disposition')).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${encoded}`);
  expect(headers.get('Set-Cookie')).toBeNull();
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
