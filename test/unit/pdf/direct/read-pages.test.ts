import { expect, test } from 'vitest';
import { readDocument } from '../../../../src/worker/pdf/direct/document/read-document.ts';
import type { Section } from '../../../../src/worker/pdf/direct/document/tree.ts';
import { UnknownFeature } from '../../../../src/worker/pdf/direct/unknown-feature.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const page =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/>';

function sectionOf(input: DocxInput): Section {
  const [section] = readDocument(buildDocx(input)).sections;
  if (section === undefined) throw new Error('no section');
  return section;
}

const borders = (attributes: string, sides: string): DocxInput => ({
  section: `${page}<w:pgBorders ${attributes}>${sides}</w:pgBorders>`,
});
const side = (name: string, kind: string, size = 24, space = 24): string =>
  `<w:${name} w:val="${kind}" w:sz="${size}" w:space="${space}" w:color="1F5B45"/>`;

test('borders of a page are placed from its edge or from its text', () => {
  const frame = { left: 1440, right: 1440, bottom: 1440 };
  expect(sectionOf(borders('w:offsetFrom="page"', side('top', 'double'))).borders).toEqual({
    sides: ['top'],
    frame: { ...frame, top: 480 },
    lines: [60, 60, 60],
    color: '1F5B45',
  });
  expect(sectionOf(borders('', side('top', 'single', 8, 4))).borders?.frame.top).toBe(1340);
  const withHeader = { ...borders('', side('top', 'single', 8, 4)), headers: [paragraph('header')] };
  expect(sectionOf(withHeader).borders?.frame.top).toBe(608);
});

test('LibreOffice draws no pictures as borders of pages', () => {
  expect(sectionOf(borders('', side('top', 'apples'))).borders).toBeUndefined();
});

test.each([
  ['a page border in the text', borders('w:offsetFrom="page"', side('top', 'single', 96, 31)), 300],
  ['page borders that differ', borders('', side('top', 'single') + side('left', 'double')), 1440],
  ['a page border thinThickMediumGap', borders('', side('top', 'thinThickMediumGap')), 1440],
  ['a page border wave', borders('', side('top', 'wave')), 1440],
])('%s: left to LibreOffice', (reason, input, top) => {
  const section = input.section?.replace('w:top="1440"', `w:top="${top}"`) ?? '';
  expect(() => sectionOf({ ...input, section })).toThrow(new UnknownFeature(reason));
});

const styles = `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault/><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style><w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`;
const raised = '<w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>';
const parts = { 'word/styles.xml': styles };
const noted = (id: number, format = raised): string =>
  `<w:p><w:r><w:t>text</w:t></w:r><w:r>${format}<w:footnoteReference w:id="${id}"/></w:r></w:p>`;
const note = `<w:p><w:r>${raised}<w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> note</w:t></w:r></w:p>`;

test('footnotes are numbered in the order of their references', () => {
  const { blocks } = sectionOf({ body: noted(2) + noted(1), footnotes: [note, note], parts });
  const notes = blocks.flatMap((block) => (block.kind === 'paragraph' ? block.notes : []));
  expect(notes.map(({ number }) => number)).toEqual([1, 2]);
  const texts = notes.flatMap((one) =>
    one.blocks.map(
      (block) => block.kind === 'paragraph' && block.inlines.map((inline) => 'text' in inline && inline.text),
    ),
  );
  expect(texts).toEqual([
    ['1', ' note'],
    ['2', ' note'],
  ]);
});

const cellOf = (content: string): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="3000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${content}</w:tc></w:tr></w:tbl><w:p/>`;

test.each([
  ['the number of a footnote in another format', noted(1, '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>')],
  ['a footnote outside of the text', cellOf(noted(1))],
  ['a footnote that is missing', noted(7)],
  ['a footnote that is not behind a word', noted(1).replace('text', 'text –')],
])('%s: left to LibreOffice', (reason, body) => {
  expect(() => sectionOf({ body, footnotes: [note], parts })).toThrow(new UnknownFeature(reason));
});

const fieldMark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const contents = (code: string, ...entries: readonly string[]): string => {
  const begin = `${fieldMark('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${fieldMark('separate')}`;
  const rows = entries.map((entry, index) => `<w:p>${index === 0 ? begin : ''}<w:r><w:t>${entry}</w:t></w:r></w:p>`);
  return `${rows.join('')}<w:p>${fieldMark('end')}</w:p>`;
};
const heading = (text: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const usual = ' TOC \\o "1-2" \\h \\z \\u ';

test('a table of contents stays as it is if its entries are the headings', () => {
  const body = contents(usual, 'First', 'Second') + heading('First') + paragraph('text') + heading('Second');
  expect(sectionOf({ body, parts }).blocks).toHaveLength(6);
});

test.each([
  ['a table of contents with other entries than the headings', contents(usual, 'First') + heading('Other')],
  ['page numbers in a table of contents', contents(usual, 'First 1') + heading('First')],
  ['page numbers in a table of contents', contents(usual, 'First 1', 'first') + heading('First 1') + heading('first')],
  ['a table of contents of another kind', contents(' TOC \\t "Own,1" ', 'First') + heading('First')],
  ['a field over several paragraphs', contents(usual, 'First').replace(fieldMark('end'), '') + heading('First')],
  ['a heading in a table', contents(usual, 'First') + cellOf(heading('First'))],
])('%s: left to LibreOffice', (reason, body) => {
  expect(() => sectionOf({ body, parts })).toThrow(new UnknownFeature(reason));
});
