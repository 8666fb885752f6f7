import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { readDocument } from '../src/document/read-document.ts';
import { openTextFonts } from '../src/fonts/text-font.ts';
import { layOutDocument } from '../src/layout/place-blocks.ts';
import { UnknownFeature } from '../src/unknown-feature.ts';

const { paragraph } = word;
const fontOf = openTextFonts(testFonts);

interface Box {
  readonly text?: string;
  readonly shape?: string;
  readonly body?: string;
  readonly anchor?: string;
  readonly more?: string;
}

const line = '<a:ln w="12700"><a:solidFill><a:srgbClr val="112233"/></a:solidFill></a:ln>';
const names =
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:wp14="http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing"';

/** A run with a box of 3,000 by 1,000 twips at 2,000 and 3,000. */
function boxOf({
  text = paragraph('inside'),
  shape = '',
  body = '<a:noAutofit/>',
  anchor = 't',
  more = '',
}: Box): string {
  const place = (name: string, at: number): string =>
    `<wp:${name} relativeFrom="page"><wp:posOffset>${at * 635}</wp:posOffset></wp:${name}>`;
  const extent = word.extent(3_000, 1_000);
  return `<w:r><mc:AlternateContent ${names}><mc:Choice Requires="wps"><w:drawing><wp:anchor simplePos="0" behindDoc="0" relativeHeight="1">${place('positionH', 2_000)}${place('positionV', 3_000)}<wp:extent ${extent}/><wp:wrapNone/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"/>${shape}</wps:spPr><wps:txbx><w:txbxContent>${text}</w:txbxContent></wps:txbx><wps:bodyPr wrap="square" lIns="127000" tIns="63500" anchor="${anchor}">${body}</wps:bodyPr></wps:wsp></a:graphicData></a:graphic>${more}</wp:anchor></w:drawing></mc:Choice><mc:Fallback/></mc:AlternateContent></w:r>`;
}

const itemsOf = (box: Box, around = (run: string) => paragraph(`${word.run('text')}${run}`)) => {
  const docx = buildDocx({ body: around(boxOf(box)) });
  return layOutDocument(readDocument(openPackage(docx)), fontOf)[0]?.items ?? [];
};
const insideOf = (box: Box) => itemsOf(box).find((item) => item.kind === 'line');

test('the text of a box stands inside of its edges', () => {
  expect(insideOf({})).toMatchObject({ left: 2_200, top: 3_100 });
});

test.each([
  ['ctr', 0.5],
  ['b', 1],
])('text with the vertical alignment %s has %d of the free space above it', (anchor, share) => {
  const found = insideOf({ anchor });
  const height = found?.kind === 'line' ? found.line.height : 0;
  // 100 twips above and 72 below.
  expect(found).toMatchObject({ top: 3_100 + Math.floor((828 - height) * share) });
});

test('a box with a line and a colour has a frame behind its text', () => {
  const fill = '<a:solidFill><a:srgbClr val="ffeeaa"/></a:solidFill>';
  const items = itemsOf({ shape: fill + line });
  expect(items.map(({ kind }) => kind)).toEqual(['frame', 'line', 'line']);
  expect(items[0]).toMatchObject({
    ...{ left: 2_000, top: 3_000, width: 3_000, height: 1_000 },
    frame: { fill: 'FFEEAA', line: { width: 20, color: '112233' } },
  });
});

test('a box that grows with its text has its height, two twips less', () => {
  const text = paragraph('one') + paragraph('two');
  const items = itemsOf({ text, shape: line, body: '<a:spAutoFit/>' });
  const [first, second] = items.filter((item) => item.kind === 'line');
  const height = first !== undefined && second !== undefined ? second.top - first.top + second.line.height : 0;
  expect(items.find(({ kind }) => kind === 'frame')).toMatchObject({ height: height + 172 - 2 });
});

test('a box that is a share of the text has its width', () => {
  const share = (percent: number): string =>
    `<wp14:sizeRelH relativeFrom="margin"><wp14:pctWidth>${percent * 1_000}</wp14:pctWidth></wp14:sizeRelH>`;
  // Of 9,026 twips, without the line.
  const items = itemsOf({ shape: line, body: '<a:spAutoFit/>', more: share(34) });
  expect(items.find(({ kind }) => kind === 'frame')).toMatchObject({ width: 3_068 - 20 - 2 });
  expect(() => itemsOf({ shape: line, body: '<a:spAutoFit/>', more: share(60) })).toThrow(
    new UnknownFeature('a text box whose relative width is not its own'),
  );
});

const inCell = (run: string): string =>
  word.table([3_000], [word.row([word.cell(3_000, paragraph(run))])], word.width(3_000)) + paragraph('below');

test.each<[string, Box, ((run: string) => string)?]>([
  ['text that is higher than its text box', { text: paragraph('line').repeat(9) }],
  ['a table in a text box', { text: inCell(word.run('cell')) }],
  ['a page break in a text box', { text: paragraph('line', '<w:pageBreakBefore/>') }],
  ['a heading in a header, footer or note', { text: paragraph('line', '<w:outlineLvl w:val="0"/>') }],
  ['a text box outside of the text', {}, inCell],
  ['a text box outside of the text', { text: paragraph(boxOf({})) }],
  ['a:normAutofit of a text box', { body: '<a:normAutofit/>' }],
  ['a:prstDash of a picture', { shape: '<a:prstDash/>' }],
])('%s: left to LibreOffice', (reason, box, around) => {
  expect(() => itemsOf(box, around)).toThrow(new UnknownFeature(reason));
});
