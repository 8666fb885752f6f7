import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const sides = ['top', 'left', 'bottom', 'right'] as const;
const kinds = (
  'single thick double triple thinThickSmallGap thickThinSmallGap thinThickMediumGap thickThinMediumGap ' +
  'thinThickLargeGap thickThinLargeGap'
).split(' ');

const line = fc
  .record({
    kind: fc.constantFrom(...kinds),
    size: fc.constantFrom(2, 3, 4, 5, 6, 7, 9, 12, 18, 24, 31, 48),
    space: fc.constantFrom(0, 1, 4, 10),
    color: fc.constantFrom('auto', '1F5B45', '9F8AB9'),
  })
  .map(
    ({ kind, size, space, color }) =>
      (side: string) =>
        `<w:${side} w:val="${kind}" w:sz="${size}" w:space="${space}" w:color="${color}"/>`,
  );

const text = fc
  .array(fc.constantFrom('lorem', 'ipsum', 'VAT', '12,345.67'), { minLength: 1, maxLength: 30 })
  .map((all) => all.join(' '));
const paragraph = (content: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${content}</w:t></w:r></w:p>`;

/** Paragraphs with borders of one or two lines, on some sides the same one. */
const borderedParagraph = fc
  .record({
    one: line,
    others: fc.oneof(fc.constant(undefined), fc.array(line, { minLength: 4, maxLength: 4 })),
    on: fc.subarray([...sides], { minLength: 1 }),
    fill: fc.constantFrom('', '<w:shd w:val="clear" w:fill="DDEEFF"/>'),
    indent: fc.constantFrom('', '<w:ind w:left="400" w:right="500" w:hanging="200"/>'),
    text,
  })
  .map(({ one, others, on, fill, indent, text: content }) => {
    const borders = on.map((side, index) => (others?.[index] ?? one)(side)).join('');
    return `${paragraph(content, `<w:pBdr>${borders}</w:pBdr>${fill}${indent}`)}${paragraph('below')}`;
  });

export const paragraphsWithLines: fc.Arbitrary<DocxInput> = fc
  .array(borderedParagraph, { minLength: 1, maxLength: 4 })
  .map((all) => ({ body: all.join('') }));

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
    cellSide: fc.constantFrom(...sides),
    columns: fc.array(fc.integer({ min: 1500, max: 2600 }), { minLength: 1, maxLength: 3 }),
    rows: fc.array(text, { minLength: 1, maxLength: 4 }),
    place: fc.integer({ min: 0, max: 11 }),
    width: fc.constantFrom('<w:tblW w:w="0" w:type="auto"/>', '<w:tblW w:w="5000" w:type="pct"/>'),
    fill: fc.constantFrom('', '<w:shd w:val="clear" w:fill="DDEEFF"/>'),
  })
  .map(({ on, line: ofTable, cellLine, cellSide, columns, rows, place, width, fill }) => {
    const cell = (row: number, column: number): string => {
      const own = row * columns.length + column === place && cellLine !== undefined ? cellLine(cellSide) : '';
      return `<w:tc><w:tcPr><w:tcW w:w="${columns[column]}" w:type="dxa"/><w:tcBorders>${own}</w:tcBorders>${fill}</w:tcPr>${paragraph(rows[row] ?? '')}</w:tc>`;
    };
    const row = (_: string, index: number): string =>
      `<w:tr>${columns.map((_width, column) => cell(index, column)).join('')}</w:tr>`;
    const table = `<w:tbl><w:tblPr>${width}<w:tblBorders>${on.map((side) => ofTable(side)).join('')}</w:tblBorders></w:tblPr><w:tblGrid>${columns.map((one) => `<w:gridCol w:w="${one}"/>`).join('')}</w:tblGrid>${rows.map(row).join('')}</w:tbl>`;
    return { body: `${paragraph('above')}${table}${paragraph('below')}` };
  });
