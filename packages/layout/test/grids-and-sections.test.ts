import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { inspectDocument } from '../src/document/inspect-document.ts';
import { readDocument } from '../src/document/read-document.ts';
import { openTextFonts } from '../src/fonts/text-font.ts';
import { layOutDocument } from '../src/layout/place-blocks.ts';
import { UnknownFeature } from '../src/unknown-feature.ts';

const { paragraph } = word;
const fontOf = openTextFonts(testFonts);
const size = '<w:pgSz w:w="11906" w:h="16838"/>';
const open = (input: DocxInput) => openPackage(buildDocx(input));
const layOut = (input: DocxInput) => layOutDocument(readDocument(open(input)), fontOf);
const tops = (input: DocxInput) =>
  layOut(input)[0]?.items.flatMap((item) => (item.kind === 'line' ? [item.top] : [])) ?? [];

const onGrid = (pitch: number, body: string): DocxInput => ({
  body,
  section: `${size}<w:docGrid w:type="lines" w:linePitch="${pitch}"/>`,
});

test('lines on a grid are as far apart as its lines, and twice as far if they are higher', () => {
  const [first = 0, second = 0] = tops(onGrid(400, paragraph('one') + paragraph('two')));
  expect(second - first).toBe(400);
  const [top = 0, next = 0] = tops(onGrid(200, paragraph('one') + paragraph('two')));
  expect(next - top).toBe(400);
});

const continuous = `<w:sectPr><w:type w:val="continuous"/>${size}</w:sectPr>`;
const section = `<w:type w:val="continuous"/>${size}`;

test('a continuous section goes on below the one before it', () => {
  const parts = paragraph('one') + paragraph('two', continuous) + paragraph('three');
  const whole = paragraph('one') + paragraph('two') + paragraph('three');
  expect(tops({ body: parts, section })).toEqual(tops({ body: whole, section: size }));
});

const contextual = '<w:contextualSpacing/>';

test.each<[string, DocxInput]>([
  ['a grid of close lines', onGrid(199, paragraph('one'))],
  ['an empty line that is higher than the lines of the grid', onGrid(210, paragraph(''))],
  [
    'a continuous section between paragraphs without space',
    { body: paragraph('one', contextual + continuous) + paragraph('two'), section },
  ],
  [
    'a full page of continuous sections',
    { body: paragraph('one', continuous) + paragraph('word '.repeat(1_500)), section },
  ],
  [
    'a continuous section with pages of its own',
    { body: paragraph('one', continuous) + paragraph('two'), section: section.replace('11906', '12240') },
  ],
])('%s: left to LibreOffice', (reason, input) => {
  expect(() => layOut(input)).toThrow(new UnknownFeature(reason));
});

test('an inspection names the pages that a continuous section changes', () => {
  const source = open({
    body: paragraph('one', continuous) + paragraph('two'),
    section: section.replace('11906', '12240'),
  });
  expect(inspectDocument(source, 5)).toEqual(['a continuous section with pages of its own']);
});
