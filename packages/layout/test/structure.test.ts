import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { checkPdf } from '../../../src/worker/pdf/conformance/check-pdf.ts';
import { openPdf } from '../../../src/worker/pdf/conformance/open-pdf.ts';
import { readStructure, type StructureElement } from '../../../src/worker/pdf/conformance/structure/read-structure.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { openDirectConverter } from '../src/open-direct-converter.ts';

/** The structure that programs read aloud, in PDFs that are laid out directly. */
const converter = await openDirectConverter(testFonts);
const convert = (input: DocxInput): Uint8Array => converter.convert(openPackage(buildDocx(input))).pdf;

/** Elements with those inside them, such as `Document(P Table(TR(TD)))`. */
async function structureOf(input: DocxInput): Promise<string> {
  const { elements } = readStructure(await openPdf(convert(input)));
  const print = ({ role = '?', children }: StructureElement): string =>
    children.length === 0 ? role : `${role}(${children.map(print).join(' ')})`;
  return elements
    .filter(({ parent }) => parent === undefined)
    .map(print)
    .join(' ');
}

const heading = (text: string, level: number): string => word.paragraph(text, `<w:outlineLvl w:val="${level}"/>`);
const cell = (content: string, properties = ''): string => word.cell(2000, content, properties);
const row = (cells: string, properties = ''): string => word.row([cells], properties);
const table = (rows: string): string => word.table([2000, 2000], [rows], word.fixedWidth(4000));

test('headings and paragraphs are elements in the order of the document; empty paragraphs are not', async () => {
  const body = [heading('Offer', 0), paragraph('Dear customer'), '<w:p/>', heading('Terms', 1), heading('Last', 8)];
  expect(await structureOf({ body: body.join('') })).toBe('Document(H1 P H2 H6)');
});

test('a paragraph over two pages is one element', async () => {
  expect(await structureOf({ body: paragraph('many words on each page '.repeat(400)) })).toBe('Document(P)');
});

test('repeated rows head their columns once, and a single paragraph is the text of its cell', async () => {
  const head = row(cell(paragraph('Item')) + cell(paragraph('Price')), '<w:tblHeader/>');
  const rows = row(cell(paragraph('Shelf') + paragraph('oak')) + cell('<w:p/>')).repeat(60);
  expect(await structureOf({ body: table(head + rows) + paragraph('End') })).toBe(
    `Document(Table(TR(TH TH) ${Array(60).fill('TR(TD(P P) TD)').join(' ')}) P)`,
  );
});

test('cells say how many columns they take', async () => {
  const rows =
    row(cell(paragraph('wide'), '<w:gridSpan w:val="2"/>')) + row(cell(paragraph('one')) + cell(paragraph('two')));
  const { elements } = readStructure(await openPdf(convert({ body: table(rows) + paragraph('End') })));
  const spans = elements.filter(({ role }) => role === 'TD').map(({ dict }) => dict.getDict('A')?.getNumber('ColSpan'));
  expect(spans.map((span) => span?.value)).toEqual([2, undefined, undefined]);
});

test('paragraphs of a list are its items, and those of a deeper level a list in the item above', async () => {
  const numbering = word.lists([word.level(0, 'decimal', '%1.', 360), word.level(1, 'decimal', '%2.', 360)]);
  const item = (index: number): string => word.paragraph('text', word.item(index));
  const body = [item(0), item(1), item(1), item(0), paragraph('between'), item(0)].join('');
  const one = 'LI(Lbl LBody(P))';
  expect(await structureOf(word.document(body, { numbering }))).toBe(
    `Document(L(LI(Lbl LBody(P L(${one} ${one}))) ${one}) P L(${one}))`,
  );
});

const link = '<w:p><w:hyperlink r:id="terms"><w:r><w:t>our terms</w:t></w:r></w:hyperlink></w:p>';
const rels = [{ id: 'terms', type: 'hyperlink', target: 'https://example.com/terms', external: true }];

test('links are elements with their annotations; text that is repeated on pages is not', async () => {
  expect(await structureOf({ body: link + paragraph('End'), rels })).toBe('Document(P(Link) P)');
  expect(await structureOf({ body: paragraph('text'), headers: [paragraph('header')] })).toBe('Document(P)');
});

/** Rules of PDF/UA on the structure: the others ask for metadata, a title and a language. */
const ofStructure = /tagged|structure|artifact|parent-tree|table|list|role|heading-skipped|link-tagged|nesting/;

test('all content belongs to the structure or is marked as decoration', async () => {
  const bordered = word.paragraph('text', `<w:pBdr>${word.borders(['top'], 8)}</w:pBdr>${word.shaded('EEEEEE')}`);
  const rows = row(cell(paragraph('Item')) + cell(paragraph('Price')), '<w:tblHeader/>');
  const body = heading('Offer', 0) + bordered + link + table(rows + row(cell(link) + cell('<w:p/>')).repeat(60));
  const input = { body: body + paragraph('End'), rels, footers: [paragraph('footer')] };
  const [report] = (await checkPdf(convert(input), ['PDF/UA-1'])).standards;
  const rulesBroken = report?.failures.map(({ rule }) => rule) ?? [];
  expect(rulesBroken).toContain('metadata-present');
  expect(rulesBroken.filter((rule) => ofStructure.test(rule))).toEqual([]);
});
