import { expect, test } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../../test/support/documents/docx-builder.ts';
import * as word from '../../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../../test/support/fonts.ts';
import { keptElements } from '../../src/document/kept-elements.ts';
import { parseElement } from '../../src/document/parse-element.ts';
import { readDocument } from '../../src/document/read-document.ts';
import type { Block, Paragraph } from '../../src/document/tree.ts';
import { openDirectConverter } from '../../src/open-direct-converter.ts';

/** Paragraphs are kept for later documents, and used only where they would be read and laid out the same. */
const stylesXml = (properties: string, table = ''): string =>
  word.styles({}, word.normal(properties), word.style('Grid', { type: 'table', paragraph: table }));
const withStyles = (body: string, styles: string): DocxInput => ({ body, parts: { 'word/styles.xml': styles } });
const blocksOf = (input: DocxInput): readonly Block[] =>
  readDocument(openPackage(buildDocx(input))).sections.flatMap(({ blocks }) => blocks);
const firstOf = (blocks: readonly Block[]): Paragraph | undefined => {
  const [block] = blocks;
  return block?.kind === 'table' ? firstOf(block.rows[0]?.cells[0]?.blocks ?? []) : block;
};
const read = (input: DocxInput): Paragraph | undefined => firstOf(blocksOf(input));
const table = (content: string): string =>
  word.table([4000], [word.row([word.cell(4000, content)])], `<w:tblStyle w:val="Grid"/>${word.fixedWidth(4000)}`) +
  paragraph('below');
const spaced = '<w:spacing w:after="200"/>';

test('a paragraph that has occurred twice is reused from then on', () => {
  const content = table(paragraph('Terms of delivery'));
  const [first, one] = [1, 2].map(() => read(withStyles(content, stylesXml(''))));
  expect(one).not.toBe(first);
  expect(one?.inlines).toMatchObject([{ text: 'Terms of delivery' }]);
  const [, again] = blocksOf(withStyles(paragraph('another one') + content, stylesXml('')));
  expect(again && firstOf([again])).toBe(one);
});

test('a paragraph is not reused in a document with other styles, or in a table with another style', () => {
  const content = paragraph('The same text');
  expect(read(withStyles(content, stylesXml('')))?.format.after).toBe(0);
  expect(read(withStyles(content, stylesXml(spaced)))?.format.after).toBe(200);
  expect(read(withStyles(table(content), stylesXml('', '<w:spacing w:after="90"/>')))?.format.after).toBe(90);
  expect(read(withStyles(table(content), stylesXml('', '<w:spacing w:after="70"/>')))?.format.after).toBe(70);
});

test('a paragraph whose prefixes have another meaning is another paragraph', () => {
  const childOf = (meaning: string): string | undefined => {
    const xml = `<w:body xmlns:w="${word.namespace}" xmlns:x="${meaning}"><w:p><x:r>text</x:r></w:p></w:body>`;
    return parseElement(xml, undefined, keptElements).children[0]?.children[0]?.name;
  };
  expect(['urn:one', word.namespace, 'urn:one'].map(childOf)).toEqual(['{urn:one}:r', 'w:r', '{urn:one}:r']);
});

test('a nested paragraph is read with its parent, and one of a megabyte is not kept', () => {
  const inside = '<w:p><w:r><w:t>inside</w:t></w:r></w:p>';
  const xml = `<w:body xmlns:w="${word.namespace}"><w:p><w:r>${inside}</w:r></w:p><w:p><w:r><w:t>${'long '.repeat(200_000)}</w:t></w:r></w:p></w:body>`;
  const parsed = [1, 2, 3].map(() => parseElement(xml, undefined, keptElements).children);
  const [, one, other] = parsed.map(([outer]) => outer?.children[0]?.children[0]);
  expect(one).toMatchObject({ name: 'w:p', children: [{ children: [{ text: 'inside' }] }] });
  expect(other).toBe(one);
  expect(parsed[0]?.[1]?.children[0]?.children[0]?.text).toHaveLength(1_000_000);
  expect(parsed[1]?.[1]).not.toBe(parsed[2]?.[1]);
});

test('list numbers, headings and page breaks start again in each document', () => {
  const input = word.document(word.paragraph('item', word.item(0)).repeat(3), {
    numbering: word.lists([word.level(0, 'decimal', '%1.')]),
  });
  for (let time = 0; time < 4; time++) {
    const labels = blocksOf(input).map((block) => block.kind === 'paragraph' && block.inlines[0]);
    expect(labels).toMatchObject([{ text: '1.' }, { text: '2.' }, { text: '3.' }]);
  }
});

test('a document is the same file after others with the same paragraphs in other columns and styles', async () => {
  const content = paragraph('We thank you for your order, which will be delivered within ten working days. '.repeat(4));
  const inputs = [
    withStyles(content + table(content), stylesXml('')),
    withStyles(table(content) + content, stylesXml(spaced, '<w:jc w:val="right"/>')),
    withStyles(content.replace('<w:p>', '<w:p><w:pPr><w:ind w:right="2000"/></w:pPr>') + content, stylesXml('')),
  ].map((input) => buildDocx(input));
  const first = await openDirectConverter(testFonts);
  const made = inputs.map((docx) => Buffer.from(first.convert(openPackage(docx)).pdf));
  for (const docx of inputs) first.convert(openPackage(docx));
  const again = inputs.toReversed().map((docx) => Buffer.from(first.convert(openPackage(docx)).pdf));
  expect(again.toReversed().every((pdf, index) => pdf.equals(made[index] ?? Buffer.alloc(0)))).toBe(true);
  expect(new Set(made.map((pdf) => pdf.toString('latin1'))).size).toBe(3);
});
