import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { comparePdfs } from '../../../src/worker/pdf/compare/compare-pdfs.ts';
import { openPdf, type Pdfium, startPdfium } from '../../../src/worker/pdf/compare/pdfium.ts';
import { type Link, readLinks } from '../../../src/worker/pdf/compare/read-links.ts';
import { type Bookmark, readOutline } from '../../../src/worker/pdf/compare/read-outline.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { openDirectConverter } from '../src/open-direct-converter.ts';

/** Outlines and links of PDFs that are laid out directly, as readers and comparisons see them. */
const pdfium: Pdfium = await startPdfium();
const converter = await openDirectConverter(testFonts);
const convert = (input: DocxInput): Uint8Array => converter.convert(openPackage(buildDocx(input))).pdf;
const differences = (one: DocxInput, other: DocxInput): unknown =>
  comparePdfs(pdfium, convert(one), convert(other)).differences.map(({ measure, page }) => `${measure} ${page}`);

function inPdf<T>(input: DocxInput, read: (opened: ReturnType<typeof openPdf>) => T): T {
  const opened = openPdf(pdfium, convert(input));
  try {
    return read(opened);
  } finally {
    opened.close();
  }
}
const outlineOf = (input: DocxInput): readonly Bookmark[] =>
  inPdf(input, ({ document }) => readOutline(pdfium, document));
const linksOf = (input: DocxInput): readonly Link[][] =>
  inPdf(input, ({ pages, document, usePage }) =>
    Array.from({ length: pages }, (_, index) => usePage(index, (page) => readLinks(pdfium, document, page))),
  );

const heading = (text: string, level: number, properties = ''): string =>
  word.paragraph(text, `${properties}<w:outlineLvl w:val="${level}"/>`);
const row = (content: string, properties: string): string => word.row([word.cell(4000, content)], properties);

test('headings form the outline, each below the last one of a higher level', () => {
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
  expect(outlineOf({ body: word.table([4000], [rows], word.fixedWidth(4000)) + paragraph('end') })).toMatchObject([
    { title: 'Items', page: 1 },
  ]);
  expect(outlineOf({ body: paragraph('text') })).toEqual([]);
});

test.each([
  ['another title', heading('Term', 0)],
  ['another level', heading('Terms', 1, '').replace('<w:p>', `${heading('One', 0)}<w:p>`)],
  ['no heading', paragraph('Terms')],
])('a comparison detects an outline with %s', (_, body) => {
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

test('a comparison detects that text links to another address, or to none', () => {
  expect(differences({ body: link('terms'), rels }, { body: link('terms'), rels })).toEqual([]);
  expect(differences({ body: link('terms'), rels }, { body: link('prices'), rels })).toEqual(['text 1']);
  expect(differences({ body: link('terms'), rels }, { body: paragraph('our terms') })).toEqual(['text 1']);
});

const ofNote = (content: string): string => word.run(content, '<w:rStyle w:val="NoteNumber"/>');
const noteNumber = word.style('NoteNumber', {
  type: 'character',
  name: 'footnote reference',
  run: '<w:vertAlign w:val="superscript"/>',
});

test('the two numbers of a footnote link to each other', () => {
  const noted = (id: number, properties = ''): string =>
    word.paragraph(word.run('text') + ofNote(`<w:footnoteReference w:id="${id}"/>`), properties);
  const note = word.paragraph(ofNote('<w:footnoteRef/>') + word.run(' note'));
  const body = noted(1) + noted(2, '<w:pageBreakBefore/>');
  const styles = word.styles({}, word.normal(), noteNumber);
  const input = { ...word.document(body, { styles }), footnotes: [note, note] };
  expect(linksOf(input).map((links) => links.map(({ target }) => target))).toEqual([
    ['page 1', 'page 1'],
    ['page 2', 'page 2'],
  ]);
});
