import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { readDocument } from '../src/document/read-document.ts';
import type { Section } from '../src/document/tree.ts';
import { UnknownFeature } from '../src/unknown-feature.ts';

const page =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/>';

function sectionOf(input: DocxInput): Section {
  const [section] = readDocument(openPackage(buildDocx(input))).sections;
  if (section === undefined) throw new Error('no section');
  return section;
}

const borders = (attributes: string, sides: string): DocxInput => ({
  section: `${page}<w:pgBorders ${attributes}>${sides}</w:pgBorders>`,
});
const side = (name: string, kind: string, size = 24, space = 24): string =>
  word.border(name, size, '1F5B45', kind, space);

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

const superscript = '<w:vertAlign w:val="superscript"/>';
const styles = word.styles(
  {},
  word.normal(),
  word.style('Heading1', { name: 'heading 1', paragraph: '<w:outlineLvl w:val="0"/>' }),
  word.style('FootnoteReference', { type: 'character', name: 'footnote reference', run: superscript }),
);
const raised = '<w:rStyle w:val="FootnoteReference"/>';
const parts = { 'word/styles.xml': styles };
const noted = (id: number, format = raised): string =>
  word.paragraph(word.run('text') + word.run(`<w:footnoteReference w:id="${id}"/>`, format));
const note = word.paragraph(word.run('<w:footnoteRef/>', raised) + word.run(' note'));

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
  `${word.table([3000], [word.row([word.cell(3000, content)])], word.width(3000))}<w:p/>`;

test.each([
  ['the number of a footnote in another format', noted(1, superscript)],
  ['a footnote outside of the text', cellOf(noted(1))],
  ['a footnote that is missing', noted(7)],
  ['a footnote that is not after a word', noted(1).replace('text', 'text –')],
])('%s: left to LibreOffice', (reason, body) => {
  expect(() => sectionOf({ body, footnotes: [note], parts })).toThrow(new UnknownFeature(reason));
});

const fieldMark = (type: string): string => word.run(`<w:fldChar w:fldCharType="${type}"/>`);
const contents = (code: string, ...entries: readonly string[]): string => {
  const begin = `${fieldMark('begin')}${word.run(`<w:instrText>${code}</w:instrText>`)}${fieldMark('separate')}`;
  const rows = entries.map((entry, index) => word.paragraph((index === 0 ? begin : '') + word.run(entry)));
  return `${rows.join('')}<w:p>${fieldMark('end')}</w:p>`;
};
const heading = (text: string): string => word.paragraph(text, '<w:pStyle w:val="Heading1"/>');
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
