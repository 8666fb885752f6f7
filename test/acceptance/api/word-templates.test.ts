import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText, pdfText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph, run, table } from '../../support/documents/docx-builder.ts';
import { field, pageBreak } from '../../support/documents/field-builder.ts';
import { labelSheet } from '../../support/documents/label-sheet.ts';
import { complexField } from '../../support/documents/word-fields.ts';

const { newClient } = await useService(inject('stack'));
const client = await newClient();
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

async function both(file: Buffer, data: unknown): Promise<{ readonly docx: string; readonly pdf: readonly string[] }> {
  const { id } = await client.template('word.docx', file);
  const [docx, pdf] = await Promise.all(
    ['docx', 'pdf'].map((format) => client.generate(id, { data, output: { format } })),
  );
  expect([docx?.status, pdf?.status]).toEqual([200, 200]);
  return { docx: docxText(docx?.bytes ?? Buffer.alloc(0)), pdf: wordsOf(await pdfText(pdf?.bytes ?? Buffer.alloc(0))) };
}

test('a template of Word with merge fields alone is filled, in both formats', async () => {
  const field = (code: string) => complexField(code);
  const cells = ['TableStart:Orders', 'Item', 'Price \\# "#,##0.00"', 'TableEnd:Orders'].map((code) =>
    field(`MERGEFIELD ${code}`),
  );
  const vip = complexField('IF "VIP" = "yes" "valued customer" "customer"', {
    fields: { VIP: field('MERGEFIELD vip') },
  });
  const file = buildDocx({
    body: `<w:p>${field('GREETINGLINE')}</w:p><w:p>${vip}</w:p>${table([[`<w:p>${cells[0]}${cells[1]}</w:p>`, `<w:p>${cells[2]}${cells[3]}</w:p>`]])}<w:p>${run('End')}</w:p>`,
    mainContentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
  });
  const data = {
    title: 'Dr',
    last_name: 'Byron',
    VIP: 'yes',
    orders: [
      { item: 'Pen', price: 1234.5 },
      { item: 'Ink', price: 2 },
    ],
  };
  const { docx, pdf } = await both(file, data);
  expect(docx).toBe('Dear Dr Byron,\nvalued customer\nPen\n1,234.50\nInk\n2.00\nEnd');
  expect(pdf).toEqual(wordsOf(docx));
});

test('content controls show the values of their titles and bindings, in both formats', async () => {
  const store = '{11111111-2222-3333-4444-555555555555}';
  const control = (properties: string) =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent><w:r><w:t>Click</w:t></w:r></w:sdtContent></w:sdt>`;
  const items = '<w:listItem w:displayText="Blue paint" w:value="blue"/>';
  const controls = [
    control(`<w:alias w:val="{colour}"/><w:showingPlcHdr/><w:dropDownList>${items}</w:dropDownList>`),
    control('<w:alias w:val="{due}"/><w:showingPlcHdr/><w:date><w:dateFormat w:val="d MMMM yyyy"/></w:date>'),
    control(`<w:showingPlcHdr/><w:dataBinding w:xpath="/order[1]/customer[1]" w:storeItemID="${store}"/><w:text/>`),
  ];
  const relationship = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps';
  const file = buildDocx({
    body: `<w:p>${controls.join(run(' / '))}</w:p>`,
    parts: {
      'customXml/item1.xml': '<order><customer/></order>',
      'customXml/_rels/item1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${relationship}" Target="itemProps1.xml"/></Relationships>`,
      'customXml/itemProps1.xml': `<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" ds:itemID="${store}"/>`,
    },
    rels: [{ id: 'rIdData', type: 'customXml', target: '../customXml/item1.xml' }],
  });
  const { docx, pdf } = await both(file, { colour: 'blue', due: '2026-03-01', customer: 'Ada' });
  expect(docx).toBe('Blue paint / 1 March 2026 / Ada');
  expect(pdf).toEqual(wordsOf(docx));
});

test('each letter of one request counts its own pages, and labels fill sheet after sheet', async () => {
  const header = `<w:p>${run('To {name}: page ')}${field('PAGE', run('1'))}${run(' of ')}${field('NUMPAGES', run('1'))}</w:p>`;
  const pages = [paragraph('{#pages}'), paragraph('{.}'), pageBreak, paragraph('{/pages}')].join('');
  const [start, dear, end] = ['{#letters | documents}', 'Dear {name}', 'Yours'].map((text) => paragraph(text));
  const body = `${start}${dear}${pages}${end}${paragraph('{/letters}')}`;
  const { id } = await client.template('letters.docx', buildDocx({ body, headers: [header] }));
  const letters = [
    { name: 'Ada', pages: ['one', 'two'] },
    { name: 'Bob', pages: [] },
  ];
  const made = await client.generate(id, { data: { letters }, output: { format: 'pdf' } });
  expect(await pagesOf(made.bytes)).toEqual([
    'To Ada: page 1 of 3 Dear Ada one',
    'To Ada: page 2 of 3 two',
    'To Ada: page 3 of 3 Yours',
    'To Bob: page 1 of 1 Dear Bob Yours',
  ]);
  const sheet = labelSheet({ columns: [3000, 3000], rows: [800, 800] }, '{#people | grid}{name}{/people}');
  const labels = await client.template('labels.docx', buildDocx({ body: sheet + paragraph('') }));
  const people = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
  const printed = await client.generate(labels.id, { data: { people }, output: { format: 'pdf' } });
  expect(await pagesOf(printed.bytes)).toEqual(['a b c d', 'e']);
});

async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const texts = (await pdfText(Buffer.from(pdf))).split('\f').slice(0, -1);
  return texts.map((text) => wordsOf(text).join(' '));
}
