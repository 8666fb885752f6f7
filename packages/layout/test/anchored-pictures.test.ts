import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import {
  buildDocx,
  type DocxInput,
  paragraph,
  relationshipsXml,
} from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { readDocument } from '../src/document/read-document.ts';
import { openTextFonts } from '../src/fonts/text-font.ts';
import type { Item } from '../src/layout/items.ts';
import type { Page } from '../src/layout/page.ts';
import { layOutDocument } from '../src/layout/place-blocks.ts';
import { UnknownFeature } from '../src/unknown-feature.ts';

const fontOf = openTextFonts(testFonts);
const rels = [{ id: 'rIdPicture', type: 'image', target: 'media/picture.png' }];
const parts = {
  'word/media/picture.png': PNG.sync.write(new PNG({ width: 2, height: 2 })),
  'word/_rels/header1.xml.rels': relationshipsXml(rels),
};
const layOut = (input: DocxInput): readonly Page[] =>
  layOutDocument(readDocument(openPackage(buildDocx({ rels, ...input, parts: { ...parts, ...input.parts } }))), fontOf);

interface Anchor {
  readonly across?: readonly [from: string, at: string | number];
  readonly down?: readonly [from: string, at: string | number];
  readonly size?: readonly [width: number, height: number];
  readonly attributes?: string;
  readonly more?: string;
  readonly wrap?: string;
}

const position = (name: string, [from, at]: readonly [string, string | number]): string => {
  const place = typeof at === 'number' ? `<wp:posOffset>${at * 635}</wp:posOffset>` : `<wp:align>${at}</wp:align>`;
  return `<wp:${name} relativeFrom="${from}">${place}</wp:${name}>`;
};
const anchored = ({
  across = ['column', 0],
  down = ['paragraph', 0],
  size: [width, height] = [1_000, 500],
  attributes = 'behindDoc="0" relativeHeight="1"',
  more = '',
  wrap = '<wp:wrapNone/>',
}: Anchor): string => {
  const extent = word.extent(width, height);
  return `<w:r><w:drawing><wp:anchor simplePos="0" ${attributes}>${position('positionH', across)}${position('positionV', down)}<wp:extent ${extent}/>${wrap}${more}${word.graphic('rIdPicture', extent)}</wp:anchor></w:drawing></w:r>`;
};
const withText = (picture: string, properties = ''): string => word.paragraph(word.run('text') + picture, properties);

/** The kinds of items, and the positions of pictures, in drawing order. */
const drawn = ({ layers, items }: Page): readonly string[] =>
  (layers ?? items).map((item: Item) => (item.kind === 'page-picture' ? `${item.left} ${item.top}` : item.kind));

test.each<[Anchor, string]>([
  [{ across: ['page', -200], down: ['page', 300] }, '-200 300'],
  [{ across: ['margin', 'right'], down: ['margin', 'bottom'] }, '9466 14898'],
  [{ across: ['leftMargin', 'center'], down: ['topMargin', 'bottom'] }, '220 940'],
  [{ across: ['rightMargin', 30], down: ['bottomMargin', 40] }, '10496 15438'],
  [{ across: ['column', 'center'], down: ['paragraph', 'top'] }, '5453 1809'],
  [{ across: ['column', 20], down: ['line', 10] }, '1460 2019'],
])('%j is at %s', (anchor, place) => {
  // The space above a paragraph is a part of it, and the space below the one above is not.
  const above = withText('', '<w:spacing w:after="100"/>');
  const [page] = layOut({ body: above + withText(anchored(anchor), '<w:spacing w:before="200"/>') });
  expect(page && drawn(page)).toEqual(['line', 'line', place]);
});

test('margins begin below a header that is higher', () => {
  const [page] = layOut({
    headers: [paragraph('header').repeat(6)],
    body: withText(anchored({ down: ['margin', 'top'] })),
  });
  expect(page && drawn(page).at(-1)).toBe('1440 2322');
});

test('pictures of headers are behind all text, those of the text behind or before it, in the order of their heights', () => {
  const at = (left: number, attributes: string): string =>
    anchored({ across: ['page', left], down: ['page', 0], attributes });
  const [page] = layOut({
    headers: [withText(at(1, 'behindDoc="0" relativeHeight="9"') + at(2, 'behindDoc="1" relativeHeight="10"'))],
    body: withText(
      at(3, 'behindDoc="0" relativeHeight="8"') +
        at(4, 'behindDoc="0" relativeHeight="7"') +
        at(5, 'behindDoc="1" relativeHeight="11"'),
    ),
  });
  expect(page && drawn(page)).toEqual(['2 0', '1 0', 'line', '5 0', 'line', '4 0', '3 0']);
});

const sameHeights = [0, 1].map((left) => anchored({ across: ['page', left], down: ['page', 0] })).join('');
const cell = (content: string, properties = ''): string =>
  word.table([3000], [word.row([word.cell(3000, content, properties)])], word.width(3000)) + paragraph('below');
const longText = (run: string): string => paragraph('word '.repeat(1_500)).replace('</w:p>', `${run}</w:p>`);

test('a picture in a cell is at the text of the cell', () => {
  const [page] = layOut({ body: cell(withText(anchored({ across: ['column', 30], down: ['paragraph', 40] }))) });
  const line = page?.items.find((item) => item.kind === 'line');
  expect(line?.kind === 'line' && [line.left + 30, line.top + 40].join(' ')).toBe(page && drawn(page).at(-1));
});

const square = '<wp:wrapSquare wrapText="bothSides"/>';
const inHeader = (anchor: Anchor): DocxInput => ({
  headers: [withText(anchored({ wrap: square, down: ['page', 0], ...anchor }))],
  body: paragraph('body'),
});

test('a picture of a header is behind its text, whatever text it asks for around it', () => {
  const [page] = layOut(inHeader({ down: ['page', 800] }));
  expect(page && drawn(page)).toEqual(['1440 800', 'line', 'line']);
});

const aroundIt = 'a picture with text around it in a header or footer';

test.each<[string, DocxInput]>([
  ['pictures over each other without an order', { body: withText(sameHeights) }],
  [
    'pictures side by side',
    { body: withText(anchored({ across: ['column', 'left'] }) + anchored({ across: ['page', 'left'] })) },
  ],
  ['a picture that reaches over another page', { body: withText(anchored({ down: ['page', -400] })) + longText('') }],
  ['a picture anchored in a paragraph across a page end', { body: longText(anchored({})) }],
  ['a picture in a cell at a place of its page', { body: cell(withText(anchored({ across: ['page', 0] }))) }],
  [
    'an anchored picture in a cell that is not aligned to its top',
    { body: cell(withText(anchored({})), '<w:vAlign w:val="bottom"/>') },
  ],
  ['a picture at the bottom of its paragraph', { body: withText(anchored({ down: ['paragraph', 'bottom'] })) }],
  [
    'a picture that is a link',
    { body: withText(anchored({ more: '<wp:docPr id="1"><a:hlinkClick r:id="rId1"/></wp:docPr>' })) },
  ],
  // One reaches the body, the other exceeds the edge of the page.
  [aroundIt, inHeader({ down: ['page', 950] })],
  [aroundIt, inHeader({ across: ['page', -1] })],
  [
    'an aligned picture with a distance from text',
    inHeader({ across: ['page', 'right'], attributes: 'distR="63500"' }),
  ],
  ['wp:wrapSquare', { body: withText(anchored({ wrap: square })) }],
])('%s: left to LibreOffice', (reason, input) => {
  expect(() => layOut(input)).toThrow(new UnknownFeature(reason));
});
