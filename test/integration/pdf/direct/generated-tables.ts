import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { exactly, joined, perhaps, several, sometimes, wordsOf } from './generated-words.ts';

/** Tables with styles, borders, merged cells, rows over page ends, and tables inside their cells. */

const { allSides, outerSides, borders, cell, paragraph, row } = word;
const text = (most: number): fc.Arbitrary<string> => wordsOf(most);
const around = (table: string): string => `${paragraph('Above')}${table}${paragraph('Below')}`;
const nil = (side: string): string => `<w:${side} w:val="nil"/>`;
const spanOf = (columns: number): string => (columns > 1 ? `<w:gridSpan w:val="${columns}"/>` : '');
const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);
const shading = (...fills: readonly string[]): fc.Arbitrary<string> => perhaps(1, ...fills.map(word.shaded));

const ownStyle = word.style('Own', {
  basedOn: 'Normal',
  paragraph: '<w:spacing w:before="30"/>',
  run: '<w:b w:val="0"/><w:color w:val="AA0000"/>',
});
const sansText = word.font('Liberation Sans') + word.size(22);
const spacedStyles = (table = ''): string =>
  word.styles(
    { run: sansText, paragraph: '<w:spacing w:after="160" w:line="259" w:lineRule="auto"/>' },
    word.normal(),
    ownStyle,
    table,
  );
const tightStyles = word.styles({ run: sansText, paragraph: '<w:spacing w:after="0"/>' });

/** All borders of a table have one width, because corners where several widths meet may differ in a pixel. */
interface Ink {
  readonly width: number;
  readonly color: string;
}

const styledBorders = ({ width, color }: Ink): fc.Arbitrary<string> =>
  joined(
    allSides.map((side) =>
      fc.constantFrom('', nil(side), ...Array.from({ length: 4 }, () => word.border(side, width, color))),
    ),
  );
const styleShading = shading('DFD8E8', '4472C4', 'C0C0C0', '8064A2');

/** The format of an area in the style of a table. */
const area = (name: string, ink: Ink): fc.Arbitrary<string> =>
  joined([
    sometimes(
      perhaps(1, word.aligned('center')).map((jc) => `<w:pPr>${word.spaced(40, 60)}${jc}</w:pPr>`),
      '',
    ),
    perhaps(1, '<w:rPr><w:b/></w:rPr>', '<w:rPr><w:i/><w:color w:val="FFFFFF"/></w:rPr>'),
    fc
      .tuple(sometimes(styledBorders(ink), ''), sometimes(styleShading, ''))
      .map(([all, fill]) => `<w:tcPr><w:tcBorders>${all}</w:tcBorders>${fill}</w:tcPr>`),
  ]).map((content) => `<w:tblStylePr w:type="${name}">${content}</w:tblStylePr>`);

const areas = ['firstRow', 'lastRow', 'firstCol', 'lastCol', 'band1Vert', 'band2Vert', 'band1Horz', 'band2Horz'];
const tableStyle = (ink: Ink): fc.Arbitrary<string> =>
  fc
    .tuple(
      sometimes(styledBorders(ink), ''),
      sometimes(styleShading, ''),
      joined(areas.map((name) => sometimes(area(name, ink), ''))),
    )
    .map(([all, fill, formats]) =>
      word.style('T', {
        type: 'table',
        paragraph: '<w:spacing w:after="0"/>',
        more: `<w:tblPr><w:tblBorders>${all}</w:tblBorders>${word.cellMargins(108)}</w:tblPr><w:tcPr>${fill}</w:tcPr>${formats}`,
      }),
    );

/** A document with a table whose style formats its areas separately. */
export const styledTable: fc.Arbitrary<DocxInput> = fc
  .record({
    style: fc
      .record({ width: fc.constantFrom(4, 8, 12), color: fc.constantFrom('9F8AB9', 'FFFFFF') })
      .chain(tableStyle),
    look: fc.integer({ min: 0, max: 0x3f }).map((bits) => bits << 5),
    widths: fc.array(fc.integer({ min: 1500, max: 2200 }), { minLength: 1, maxLength: 4 }),
    // Whether their paragraph has its own style.
    texts: exactly(4, fc.tuple(text(3), fc.boolean())),
    rows: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ style, look, widths, texts, rows }) => {
    const cellAt = (width: number, [content, isOwn] = ['', false]): string =>
      cell(width, paragraph(word.run(content), isOwn ? '<w:pStyle w:val="Own"/>' : ''));
    const all = Array.from({ length: rows }, (_, index) =>
      row(widths.map((width, column) => cellAt(width, texts[(index + column) % texts.length]))),
    );
    const properties = `<w:tblStyle w:val="T"/>${word.autoWidth}<w:tblLook w:val="${look.toString(16)}"/>`;
    return word.forWord(around(word.table(widths, all, properties)), 15, spacedStyles(style));
  });

/** In twips. LibreOffice uses the widths of columns, not of cells, as long as the cells of a row fill them. */
const cellWidth = fc.oneof(
  fc.integer({ min: 300, max: 4000 }).map((width) => `<w:tcW w:w="${width}" w:type="dxa"/>`),
  fc.integer({ min: 300, max: 5000 }).map((width) => `<w:tcW w:w="${width}" w:type="pct"/>`),
  perhaps(1, '<w:tcW w:w="0" w:type="auto"/>'),
);

/** Cells in three columns, some of which span several. */
const rowOfThree = fc
  .tuple(
    fc.constantFrom([1, 1, 1], [2, 1], [1, 2], [3]),
    sometimes(perhaps(1, ...['left', 'center', 'right'].map(word.aligned)), ''),
    exactly(3, fc.tuple(cellWidth, text(5))),
  )
  .map(([spans, properties, cells]) => {
    const cellAt = (span: number, index: number): string => {
      const [width, content] = cells[index] ?? ['', ''];
      return `<w:tc><w:tcPr>${width}${spanOf(span)}</w:tcPr>${paragraph(content)}</w:tc>`;
    };
    return row(spans.map(cellAt), properties);
  });

const shareOf = (share: number | undefined): string =>
  share === undefined ? word.autoWidth : `<w:tblW w:w="${share}" w:type="pct"/>`;
const indentOf = (indent: number): string => `<w:tblInd w:w="${indent}" w:type="dxa"/>`;
const violet = (width: number): string => `<w:tblBorders>${borders(allSides, width, '9F8AB9')}</w:tblBorders>`;

/**
 * A document with a table that is as wide as its columns or as a share of the text, aligned left, centred or right.
 */
export const placedTable: fc.Arbitrary<DocxInput> = fc
  .record({
    columns: exactly(3, fc.integer({ min: 900, max: 3500 })),
    share: sometimes(fc.integer({ min: 1500, max: 5000 }), undefined),
    alignment: perhaps(1, word.aligned('center'), word.aligned('right')),
    indent: perhaps(1, indentOf(200), indentOf(-150)),
    layout: perhaps(1, '<w:tblLayout w:type="fixed"/>'),
    margin: fc.constantFrom(60, 108, 200),
    borderWidth: fc.constantFrom(4, 6, 8, 12),
    version: fc.constantFrom(12, 14, 15),
    rows: fc.array(rowOfThree, { minLength: 1, maxLength: 3 }),
  })
  .map(({ columns, share, alignment, indent, layout, margin, borderWidth, version, rows }) => {
    const place = `${shareOf(share)}${alignment}${indent}`;
    const properties = `${place}${violet(borderWidth)}${layout}${word.cellMargins(margin)}`;
    return word.forWord(around(word.table(columns, rows, properties)), version, spacedStyles());
  });

interface PlainTable {
  readonly columns: readonly number[];
  readonly indent: number;
  readonly borderWidth: number;
  readonly margin: number;
  /** In fiftieths of a percent of the width around the table; undefined for the width of its columns. */
  readonly share: number | undefined;
  readonly alignment: string;
}

const plainTableParts = (
  least: number,
  most: number,
  mostColumns: number,
  margins: readonly number[],
): fc.Arbitrary<PlainTable> =>
  fc.record({
    share: sometimes(fc.constantFrom(5000, 5000, 5001, 4400, 2525), undefined),
    alignment: perhaps(2, word.aligned('center'), word.aligned('right')),
    columns: fc.array(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: mostColumns }),
    indent: fc.constantFrom(0, 0, 200),
    borderWidth: fc.constantFrom(0, 4, 8),
    margin: fc.constantFrom(...margins),
  });

/** A table whose first cell is `first`; all other cells have the same content. */
function plainTable(of: PlainTable, rows: number, content: string, first: string): string {
  const { columns, indent, borderWidth, margin, share, alignment } = of;
  const all = Array.from({ length: rows }, (_, index) =>
    row(columns.map((width, column) => cell(width, index + column === 0 ? first : content))),
  );
  const lines = borderWidth === 0 ? '' : violet(borderWidth);
  return word.table(
    columns,
    all,
    `${shareOf(share)}${alignment}${indentOf(indent)}${lines}${word.cellMargins(margin)}`,
  );
}

/** A document with a table in the first cell of a table; the paragraph behind it is often empty. */
export const tableInCell: fc.Arbitrary<DocxInput> = fc
  .record({
    outer: plainTableParts(4200, 4600, 2, [0, 60, 108, 200]),
    inner: plainTableParts(900, 1250, 3, [60, 108, 200]),
    rows: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
    texts: fc.tuple(text(5), text(3)),
    before: sometimes(text(5), ''),
    behind: sometimes(text(5), ''),
    version: fc.constantFrom(12, 14, 15),
  })
  .map(({ outer, inner, rows: [outerRows, innerRows], texts: [outerText, innerText], before, behind, version }) => {
    const inside = plainTable(inner, innerRows, innerText, innerText);
    const first = `${before === '' ? '' : paragraph(before)}${inside}${paragraph(behind)}`;
    return word.forWord(around(plainTable(outer, outerRows, outerText, first)), version, spacedStyles());
  });

const anyBorder = (side: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(2, 4, 6, 8, 10, 12, 18, 24, 36), fc.constantFrom('9F8AB9', '000000', 'D04040'))
    .map(([width, color]) => word.border(side, width, color));
const anyBorders = (of: readonly string[]): fc.Arbitrary<string> =>
  joined(of.map((side) => fc.oneof(perhaps(1, nil(side)), anyBorder(side))));
const ownMargins = fc
  .tuple(fc.constantFrom(0, 60, 200), fc.constantFrom(0, 60, 200))
  .map(
    ([left, right]) => `<w:tcMar><w:left w:w="${left}" w:type="dxa"/><w:right w:w="${right}" w:type="dxa"/></w:tcMar>`,
  );

/** A cell of a column or of several, with the text `inside`; `merge` is its `w:vMerge`. */
const borderedCell = (
  width: number,
  span: number,
  inside: fc.Arbitrary<string>,
  [ownBorders, merge] = [sometimes(anyBorders(outerSides), ''), ''],
): fc.Arbitrary<string> =>
  fc
    .tuple(
      ownBorders,
      sometimes(ownMargins, ''),
      shading('DFD8E8'),
      perhaps(2, '<w:vAlign w:val="center"/>', '<w:vAlign w:val="bottom"/>'),
      fc.constantFrom('left', 'right', 'center').map(word.aligned),
      inside,
    )
    .map(([all, margins, fill, vertical, alignment, content]) =>
      cell(
        width,
        paragraph(content, alignment),
        `${spanOf(span)}${merge}<w:tcBorders>${all}</w:tcBorders>${fill}${margins}${vertical}`,
      ),
    );

const borderedRow = ([first = 0, second = 0, third = 0]: readonly number[]): fc.Arbitrary<string> => {
  const cellAt = (width: number, span: number): fc.Arbitrary<string> => borderedCell(width, span, text(6));
  return fc
    .tuple(
      perhaps(2, '<w:trHeight w:val="700"/>'),
      fc.oneof(
        joined([cellAt(first, 1), cellAt(second, 1), cellAt(third, 1)]),
        joined([cellAt(first + second, 2), cellAt(third, 1)]),
        joined([cellAt(first, 1), cellAt(second + third, 2)]),
      ),
    )
    .map(([properties, cells]) => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`);
};

interface TableParts {
  readonly columns: readonly number[];
  readonly borders: string;
  readonly margin: number;
  readonly version: number;
}

const tableParts: fc.Arbitrary<TableParts> = fc.record({
  columns: exactly(3, fc.integer({ min: 900, max: 3000 })),
  borders: sometimes(anyBorders(allSides), ''),
  margin: fc.constantFrom(0, 30, 108, 108),
  version: fc.constantFrom(12, 14, 15),
});

const documentOf = (
  { columns, borders: lines, margin, version }: TableParts,
  rows: readonly string[],
  above = paragraph('Above'),
): DocxInput => {
  const properties = `${word.autoWidth}<w:tblBorders>${lines}</w:tblBorders>${word.cellMargins(margin)}`;
  return word.forWord(`${above}${word.table(columns, rows, properties)}${paragraph('Below')}`, version, tightStyles);
};

/** A document with a table whose cells have borders of several widths and colours. */
export const bordersThatMeet: fc.Arbitrary<DocxInput> = tableParts.chain((parts) =>
  fc.array(borderedRow(parts.columns), { minLength: 1, maxLength: 4 }).map((rows) => documentOf(parts, rows)),
);

const rareBorders = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: anyBorders(outerSides) },
);
const evenBorders = anyBorder('top').map((top) => allSides.map((side) => top.replace('w:top', `w:${side}`)).join(''));
/** Mostly borders of many kinds, or the same ones on all sides. */
const withBorders = (parts: TableParts, even: string): TableParts =>
  even === '' ? parts : { ...parts, borders: even, margin: 108 };

/** Cells below each other, some of which span several rows; cells that do not begin such a span are covered. */
const mergedColumn = (width: number, span: number, begins: readonly boolean[]): fc.Arbitrary<readonly string[]> =>
  fc.tuple(
    ...begins.map((isBeginning, at) => {
      const isMerged = isBeginning ? begins[at + 1] === false : at > 0;
      const merge = isMerged ? `<w:vMerge${isBeginning ? ' w:val="restart"' : ''}/>` : '';
      const isCovered = isMerged && !isBeginning;
      return borderedCell(width, span, isCovered ? fc.constant('') : text(isMerged ? 16 : 4), [rareBorders, merge]);
    }),
  );

/** A document with a table whose cells span several rows. */
export const mergedCells: fc.Arbitrary<DocxInput> = fc
  .record({
    parts: tableParts,
    even: sometimes(evenBorders, ''),
    isSpanned: fc.boolean(),
    begins: fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.constantFrom(true, true, false)), {
      minLength: 2,
      maxLength: 5,
    }),
    heights: exactly(5, perhaps(2, '<w:trHeight w:val="700"/>', '<w:trHeight w:val="900" w:hRule="exact"/>')),
  })
  .chain(({ parts, even, isSpanned, begins, heights }) => {
    const [first = 0, second = 0, third = 0] = parts.columns;
    const spans: [number, number][] = [
      [first + second, 2],
      [third, 1],
    ];
    const cells = isSpanned ? spans : parts.columns.map((width): [number, number] => [width, 1]);
    const columns = cells.map(([width, span], column) =>
      mergedColumn(
        width,
        span,
        begins.map((isBeginning, index) => index === 0 || isBeginning[column] === true),
      ),
    );
    return fc.tuple(...columns).map((made) => {
      const rowAt = (_: unknown, index: number): string =>
        row(
          made.map((column) => column[index] ?? ''),
          heights[index],
        );
      return documentOf(withBorders(parts, even), begins.map(rowAt));
    });
  });

/** The height of a page's text, in twips. */
const pageHeight = 13_958;

/** Paragraphs of a cell, with or without spaces. */
const cellTexts = several(
  fc
    .tuple(text(30), fc.constantFrom(0, 0, 60), fc.constantFrom(0, 0, 0, 80), fc.constantFrom(240, 276))
    .map(([content, before, after, line]) => paragraph(content, word.spaced(before, after, line))),
  3,
);

const rowOver = (columns: readonly number[], texts: fc.Arbitrary<string>, properties: string): fc.Arbitrary<string> =>
  joined(
    columns.map((width) =>
      fc.tuple(rareBorders, texts).map(([all, content]) => cell(width, content, `<w:tcBorders>${all}</w:tcBorders>`)),
    ),
  ).map((cells) => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`);

/** A paragraph that may be higher than a page. */
const longText = text(300).map((content) => paragraph(content));

/** A document with a table across a page end, whose rows have these properties. */
const tableOverPages = (texts: fc.Arbitrary<string>, properties: string): fc.Arbitrary<DocxInput> =>
  fc
    .record({
      parts: tableParts,
      even: sometimes(evenBorders, ''),
      free: fc.integer({ min: 200, max: 4000 }),
      heading: fc.constantFrom(false, false, true),
      margins: perhaps(1, '<w:top w:w="60" w:type="dxa"/><w:bottom w:w="40" w:type="dxa"/>'),
    })
    .chain(({ parts, even, free, heading, margins }) =>
      fc
        .array(rowOver(parts.columns, texts, properties), { minLength: 3, maxLength: 7 })
        .map(([first = '', ...rest]) => {
          const above = paragraph('Above', word.spaced(0, 0, pageHeight - free, 'exact'));
          const head = heading ? first.replace('<w:trPr>', '<w:trPr><w:tblHeader/>') : first;
          const made = documentOf(withBorders(parts, even), [head, ...rest], above);
          return { ...made, body: (made.body ?? '').replace('<w:tblCellMar>', `<w:tblCellMar>${margins}`) };
        }),
    );

/** A document with rows across a page end that may not be split. */
export const rowsOverPages = tableOverPages(cellTexts, '<w:cantSplit/>');

/** A document with rows over page ends that may be split, some of them twice. */
export const splitRows = tableOverPages(
  fc.oneof({ weight: 9, arbitrary: cellTexts }, { weight: 1, arbitrary: longText }),
  '',
);

const gapOf = (end: 'Before' | 'After', columns: readonly number[]): string =>
  columns.length === 0
    ? ''
    : `<w:grid${end} w:val="${columns.length}"/><w:w${end} w:w="${sumOf(columns)}" w:type="dxa"/>`;

/** Rows that mostly leave out columns at their beginning or end. */
export const rowsWithGaps: fc.Arbitrary<DocxInput> = fc
  .record({
    columns: exactly(4, fc.integer({ min: 900, max: 2000 })),
    rows: fc.array(
      fc.record({
        gaps: fc.constantFrom([0, 0], [0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [0, 2]),
        halfPoints: fc.constantFrom(8, 16, 22),
        height: perhaps(1, '<w:trHeight w:val="500"/>', '<w:trHeight w:val="400" w:hRule="exact"/>'),
        content: text(2),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    lines: perhaps(1, borders(allSides, 4), borders(allSides, 12, '9F8AB9')),
    markSize: fc.constantFrom(8, 16, 30),
    margin: fc.constantFrom(0, 60, 108),
    indent: fc.constantFrom(0, 200),
    version: fc.constantFrom(12, 14, 15),
  })
  .map(({ columns, rows, lines, markSize, margin, indent, version }) => {
    const all = rows.map(({ gaps: [before = 0, after = 0], halfPoints, height, content }) => {
      const end = columns.length - after;
      const spacing = `<w:spacing w:before="${before === 0 ? 0 : 60}" w:after="${after === 0 ? 100 : 0}"/>`;
      const inside = paragraph(
        word.run(content, word.size(halfPoints)),
        `${spacing}<w:rPr>${word.size(markSize)}</w:rPr>`,
      );
      const gaps = gapOf('Before', columns.slice(0, before)) + gapOf('After', columns.slice(end));
      return row(
        columns.slice(before, end).map((width) => cell(width, inside)),
        gaps + height,
      );
    });
    const place = word.width(sumOf(columns)) + indentOf(indent);
    const properties = `${place}<w:tblBorders>${lines}</w:tblBorders>${word.cellMargins(margin)}`;
    return word.forWord(`${word.table(columns, all, properties)}<w:p/>`, version, tightStyles);
  });

const ignoredExceptions =
  '<w:tblW w:w="7000" w:type="dxa"/><w:jc w:val="center"/><w:tblCellMar><w:left w:w="28" w:type="dxa"/></w:tblCellMar><w:tblLook w:val="0000"/>';
const exceptionOf = (lines: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  lines.map((all) => `<w:tblPrEx><w:tblBorders>${all}</w:tblBorders>${ignoredExceptions}</w:tblPrEx>`);

/** Properties of a row that override those of its table. */
const exceptions = fc.oneof(
  { weight: 4, arbitrary: perhaps(1, `<w:tblPrEx>${ignoredExceptions}</w:tblPrEx>`) },
  { weight: 6, arbitrary: exceptionOf(evenBorders) },
  { weight: 1, arbitrary: exceptionOf(anyBorders(allSides)) },
);
const ownBorders = /<w:tcBorders>.*?<\/w:tcBorders>/g;

/** A document with a table some of whose rows have other borders, and settings that LibreOffice ignores. */
export const rowsWithExceptions: fc.Arbitrary<DocxInput> = tableParts.chain((parts) =>
  fc.array(fc.tuple(borderedRow(parts.columns), exceptions), { minLength: 1, maxLength: 4 }).map((rows) =>
    documentOf(
      { ...parts, margin: 108 },
      rows.map(([xml, exception]) =>
        exception === '' ? xml : xml.replaceAll(ownBorders, '').replace('<w:trPr>', `${exception}<w:trPr>`),
      ),
    ),
  ),
);
