import { expect, test } from 'vitest';
import { comparePdfs } from '../../../../src/worker/pdf/compare/compare-pdfs.ts';
import { openPdf, type Pdfium, startPdfium } from '../../../../src/worker/pdf/compare/pdfium.ts';
import { type Link, readLinks } from '../../../../src/worker/pdf/compare/read-links.ts';
import { type Bookmark, readOutline } from '../../../../src/worker/pdf/compare/read-outline.ts';
import { openDirectConverter } from '../../../../src/worker/pdf/direct/convert-directly.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { testFonts } from '../../../support/fonts.ts';

/** What a reader clicks on, in PDFs that are laid out directly, and as comparisons see it. */
const pdfium: Pdfium = await startPdfium();
const converter = await openDirectConverter(testFonts);
const convert = (input: DocxInput): Uint8Array => converter.convert(buildDocx(input)).pdf;
const differences = (one: DocxInput, other: DocxInput): unknown =>
  comparePdfs(pdfium, convert(one), convert(other)).differences.map(({ measure, page }) => `${measure} ${page}`);

function outlineOf(input: DocxInput): readonly Bookmark[] {
  const opened = openPdf(pdfium, convert(input));
  try {
    return readOutline(pdfium, opened.document);
  } finally {
    opened.close();
  }
}

function linksOf(input: DocxInput): readonly Link[][] {
  const opened = openPdf(pdfium, convert(input));
  try {
    return Array.from({ length: opened.pages }, (_, index) =>
      opened.usePage(index, (page) => readLinks(pdfium, opened.document, page)),
    );
  } finally {
    opened.close();
  }
}

const heading = (text: string, level: number, properties = ''): string =>
  `<w:p><w:pPr>${properties}<w:outlineLvl w:val="${level}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (content: string): string => `<w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${content}</w:tc>`;
const row = (content: string, properties = ''): string => `<w:tr><w:trPr>${properties}</w:trPr>${cell(content)}</w:tr>`;
const table = (rows: string): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="4000" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid>${rows}</w:tbl>`;

test('headings are the outline, each below the last one of a higher level', () => {
  const body = ['Offer', 'Prices', 'Notes', 'Terms', 'Delivery'].map((text, index) =>
    heading(text, [0, 2, 3, 1, 0][index] ?? 0, index === 3 ? '<w:pageBreakBefore/>' : ''),
  );
  const entries = outlineOf({ body: body.join('') });
  expect(entries.map(({ depth, title, page }) => `${depth} ${title} ${page}`)).toEqual([
    '0 Offer 1',
    '1 Prices 1',
    '2 Notes 1',
    '1 Terms 2',
    '0 Delivery 2',
  ]);
  const [offer, prices, , terms] = entries;
  expect(offer?.y).toBeGreaterThan(prices?.y ?? Number.NaN);
  expect(terms?.y).toBe(offer?.y);
});

test('a heading in a row that each page repeats is one entry, and a document without headings has no outline', () => {
  const rows =
    row(heading('Items', 0), '<w:cantSplit/><w:tblHeader/>') + row(paragraph('item'), '<w:cantSplit/>').repeat(80);
  expect(outlineOf({ body: table(rows) + paragraph('end') })).toMatchObject([{ title: 'Items', page: 1 }]);
  expect(outlineOf({ body: paragraph('text') })).toEqual([]);
});

test.each([
  ['another title', heading('Term', 0)],
  ['another level', heading('Terms', 1, '').replace('<w:p>', `${heading('One', 0)}<w:p>`)],
  ['no heading', paragraph('Terms')],
])('a comparison sees an outline with %s', (_, body) => {
  expect(differences({ body: heading('Terms', 0) }, { body })).toContain('outline 1');
});

const link = (id: string): string =>
  `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>our terms</w:t></w:r></w:hyperlink></w:p>`;
const rels = ['terms', 'prices'].map((name) => ({
  id: name,
  type: 'hyperlink',
  target: `https://example.com/${name}`,
  external: true,
}));

test('a comparison sees that text leads to another address, or nowhere', () => {
  expect(differences({ body: link('terms'), rels }, { body: link('terms'), rels })).toEqual([]);
  expect(differences({ body: link('terms'), rels }, { body: link('prices'), rels })).toEqual(['text 1']);
  expect(differences({ body: link('terms'), rels }, { body: paragraph('our terms') })).toEqual(['text 1']);
});

const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docDefaults><w:rPrDefault/><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="character" w:styleId="NoteNumber"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`;
const ofNote = (content: string): string => `<w:r><w:rPr><w:rStyle w:val="NoteNumber"/></w:rPr>${content}</w:r>`;

test('the numbers of a footnote lead to each other', () => {
  const noted = (id: number): string =>
    `<w:p><w:r><w:t>text</w:t></w:r>${ofNote(`<w:footnoteReference w:id="${id}"/>`)}</w:p>`;
  const note = `<w:p>${ofNote('<w:footnoteRef/>')}<w:r><w:t xml:space="preserve"> note</w:t></w:r></w:p>`;
  const second = noted(2).replace('<w:p>', '<w:p><w:pPr><w:pageBreakBefore/></w:pPr>');
  const input = { body: noted(1) + second, footnotes: [note, note], parts: { 'word/styles.xml': styles } };
  expect(linksOf(input).map((links) => links.map(({ target }) => target))).toEqual([
    ['page 1', 'page 1'],
    ['page 2', 'page 2'],
  ]);
});
