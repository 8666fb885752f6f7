import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { exactly, joined, perhaps, several, sometimes, wordsOf } from './generated-words.ts';

/** Borders of paragraphs and tables, with one line or several. */

const { outerSides, paragraph } = word;

const thinBorder = (side: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(4, 6, 8, 12, 24), fc.constantFrom(0, 1, 4, 10))
    .map(([width, space]) => word.border(side, width, '9F8AB9', 'single', space));

/** A document with a paragraph that has borders on some sides, between others. */
export const borderedParagraphs: fc.Arbitrary<DocxInput> = fc
  .record({
    borders: joined(outerSides.map((side) => sometimes(thinBorder(side), ''))),
    // On dark shading, a thin line that is a twip off is visible.
    fill: perhaps(1, word.shaded('DDEEFF')),
    indent: sometimes(
      fc
        .tuple(fc.constantFrom(0, 300, 720), perhaps(1, 'w:hanging="200"', 'w:firstLine="300"'))
        .map(([left, first]) => `<w:ind w:left="${left}" w:right="500" ${first}/>`),
      '',
    ),
    alignment: fc.constantFrom('left', 'center', 'right').map(word.aligned),
    text: wordsOf(30),
  })
  .map(({ borders, fill, indent, alignment, text }) => {
    const bordered = paragraph(text, `<w:pBdr>${borders}</w:pBdr>${fill}${indent}${alignment}`);
    return { body: `${paragraph('Above')}${bordered}${paragraph('Below')}` };
  });

const kinds =
  'single thick double triple thinThickSmallGap thickThinSmallGap thinThickMediumGap thickThinMediumGap thinThickLargeGap thickThinLargeGap';
const line = fc
  .record({
    kind: fc.constantFrom(...kinds.split(' ')),
    size: fc.constantFrom(2, 3, 4, 5, 6, 7, 9, 12, 18, 24, 31, 48),
    space: fc.constantFrom(0, 1, 4, 10),
    color: fc.constantFrom('auto', '1F5B45', '9F8AB9'),
  })
  .map(
    ({ kind, size, space, color }) =>
      (side: string) =>
        word.border(side, size, color, kind, space),
  );
const someText = wordsOf(30, 'lorem ipsum VAT 12,345.67');
const fill = perhaps(1, word.shaded('DDEEFF'));

/** Paragraphs with borders of one or two lines; some sides share a border. */
const paragraphWithLines = fc
  .record({
    one: line,
    others: fc.oneof(fc.constant(undefined), exactly(4, line)),
    on: fc.subarray([...outerSides], { minLength: 1 }),
    fill,
    indent: perhaps(1, '<w:ind w:left="400" w:right="500" w:hanging="200"/>'),
    text: someText,
  })
  .map(({ one, others, on, fill: shade, indent, text }) => {
    const borders = on.map((side, index) => (others?.[index] ?? one)(side)).join('');
    return `${paragraph(text, `<w:pBdr>${borders}</w:pBdr>${shade}${indent}`)}${paragraph('below')}`;
  });

export const paragraphsWithLines: fc.Arbitrary<DocxInput> = several(paragraphWithLines, 4).map((body) => ({ body }));

/** A table whose borders across, or down, have one or two lines; some of its cells have their own. */
export const tablesWithLines: fc.Arbitrary<DocxInput> = fc
  .record({
    on: fc.constantFrom(
      ['bottom'],
      ['top'],
      ['top', 'bottom', 'insideH'],
      ['insideH'],
      ['left'],
      ['left', 'right', 'insideV'],
    ),
    line,
    cellLine: fc.oneof(fc.constant(undefined), line),
    cellSide: fc.constantFrom(...outerSides),
    columns: fc.array(fc.integer({ min: 1500, max: 2600 }), { minLength: 1, maxLength: 3 }),
    rows: fc.array(someText, { minLength: 1, maxLength: 4 }),
    place: fc.integer({ min: 0, max: 11 }),
    width: fc.constantFrom(word.autoWidth, '<w:tblW w:w="5000" w:type="pct"/>'),
    fill,
  })
  .map(({ on, line: ofTable, cellLine, cellSide, columns, rows, place, width, fill: shade }) => {
    const all = rows.map((text, row) =>
      word.row(
        columns.map((column, at) => {
          const own = row * columns.length + at === place && cellLine !== undefined ? cellLine(cellSide) : '';
          return word.cell(column, text, `<w:tcBorders>${own}</w:tcBorders>${shade}`);
        }),
      ),
    );
    const lines = on.map((side) => ofTable(side)).join('');
    const table = word.table(columns, all, `${width}<w:tblBorders>${lines}</w:tblBorders>`);
    return { body: `${paragraph('above')}${table}${paragraph('below')}` };
  });
