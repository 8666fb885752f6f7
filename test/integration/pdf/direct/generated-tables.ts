import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const words = 'lorem ipsum dolor sit amet VAT Te AWAY total 12,345.67 item price'.split(' ');

const wordsOf = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((all) => all.join(' '));
const sometimes = (value: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant(''), value);
const joined = (parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(''));
const outerSides = ['top', 'left', 'bottom', 'right'] as const;
const sides = [...outerSides, 'insideH', 'insideV'] as const;

const styles = `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Sans" w:hAnsi="Liberation Sans"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="0"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`;

/** A document for a version of Word: 15 is that of 2013 and later ones. */
const documentFor = (version: number, body: string): DocxInput => ({
  body,
  rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
  parts: {
    'word/styles.xml': styles,
    'word/settings.xml': `<w:settings xmlns:w="${word}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`,
  },
});

const anyBorder = (side: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(2, 4, 6, 8, 10, 12, 18, 24, 36), fc.constantFrom('9F8AB9', '000000', 'D04040'))
    .map(([width, color]) => `<w:${side} w:val="single" w:sz="${width}" w:space="0" w:color="${color}"/>`);
const anyBorders = (of: readonly string[]): fc.Arbitrary<string> =>
  joined(of.map((side) => fc.oneof(fc.constantFrom('', `<w:${side} w:val="nil"/>`), anyBorder(side))));
const cellMargins = fc
  .tuple(fc.constantFrom(0, 60, 200), fc.constantFrom(0, 60, 200))
  .map(
    ([left, right]) => `<w:tcMar><w:left w:w="${left}" w:type="dxa"/><w:right w:w="${right}" w:type="dxa"/></w:tcMar>`,
  );

/** A cell of a column or of several, with the text `inside`; `merge` is its `w:vMerge`. */
const borderedCell = (
  width: number,
  span: number,
  inside: fc.Arbitrary<string>,
  [ownBorders, merge] = [sometimes(anyBorders(outerSides)), ''],
): fc.Arbitrary<string> =>
  fc
    .tuple(
      ownBorders,
      sometimes(cellMargins),
      fc.constantFrom('', '<w:shd w:val="clear" w:fill="DFD8E8"/>'),
      fc.constantFrom('', '', '<w:vAlign w:val="center"/>', '<w:vAlign w:val="bottom"/>'),
      fc.constantFrom('left', 'right', 'center'),
      inside,
    )
    .map(
      ([borders, margins, shading, vertical, alignment, text]) =>
        `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ''}${merge}<w:tcBorders>${borders}</w:tcBorders>${shading}${margins}${vertical}</w:tcPr><w:p><w:pPr><w:jc w:val="${alignment}"/></w:pPr>${text === '' ? '' : `<w:r><w:t>${text}</w:t></w:r>`}</w:p></w:tc>`,
    );

const borderedRow = (columns: readonly number[]): fc.Arbitrary<string> => {
  const [first = 0, second = 0, third = 0] = columns;
  const cell = (width: number, span: number): fc.Arbitrary<string> => borderedCell(width, span, wordsOf(6));
  return fc
    .tuple(
      fc.constantFrom('', '', '<w:trHeight w:val="700"/>'),
      fc.oneof(
        joined([cell(first, 1), cell(second, 1), cell(third, 1)]),
        joined([cell(first + second, 2), cell(third, 1)]),
        joined([cell(first, 1), cell(second + third, 2)]),
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
  columns: fc.array(fc.integer({ min: 900, max: 3000 }), { minLength: 3, maxLength: 3 }),
  borders: sometimes(anyBorders(sides)),
  margin: fc.constantFrom(0, 30, 108, 108),
  version: fc.constantFrom(12, 14, 15),
});

const documentOf = ({ columns, borders, margin, version }: TableParts, rows: readonly string[]): DocxInput => {
  const margins = `<w:tblCellMar><w:left w:w="${margin}" w:type="dxa"/><w:right w:w="${margin}" w:type="dxa"/></w:tblCellMar>`;
  const grid = columns.map((column) => `<w:gridCol w:w="${column}"/>`).join('');
  const table = `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>${borders}</w:tblBorders>${margins}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`;
  return documentFor(version, `<w:p><w:r><w:t>Above</w:t></w:r></w:p>${table}<w:p><w:r><w:t>Below</w:t></w:r></w:p>`);
};

/** A document with a table whose cells have borders of several widths and colours. */
export const bordersThatMeet: fc.Arbitrary<DocxInput> = tableParts.chain((parts) =>
  fc.array(borderedRow(parts.columns), { minLength: 1, maxLength: 4 }).map((rows) => documentOf(parts, rows)),
);

const rareBorders = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: anyBorders(outerSides) },
);
const evenBorders = anyBorder('top').map((top) => sides.map((side) => top.replace('w:top', `w:${side}`)).join(''));

/** Cells below each other, of which some take several rows: those that are no beginning are covered. */
const mergedColumn = (width: number, span: number, begins: readonly boolean[]): fc.Arbitrary<readonly string[]> =>
  fc.tuple(
    ...begins.map((isBeginning, row) => {
      const isMerged = isBeginning ? begins[row + 1] === false : row > 0;
      const merge = isMerged ? `<w:vMerge${isBeginning ? ' w:val="restart"' : ''}/>` : '';
      const isCovered = isMerged && !isBeginning;
      const text = isCovered ? fc.constant('') : wordsOf(isMerged ? 16 : 4);
      return borderedCell(width, span, text, [rareBorders, merge]);
    }),
  );

/** A document with a table in which cells take several rows. */
export const mergedCells: fc.Arbitrary<DocxInput> = fc
  .record({
    parts: tableParts,
    even: sometimes(evenBorders),
    isSpanned: fc.boolean(),
    begins: fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.constantFrom(true, true, false)), {
      minLength: 2,
      maxLength: 5,
    }),
    heights: fc.array(
      fc.constantFrom('', '', '<w:trHeight w:val="700"/>', '<w:trHeight w:val="900" w:hRule="exact"/>'),
      {
        minLength: 5,
        maxLength: 5,
      },
    ),
  })
  .chain(({ parts, even, isSpanned, begins, heights }) => {
    const [first = 0, second = 0, third = 0] = parts.columns;
    const cells = isSpanned
      ? ([
          [first + second, 2],
          [third, 1],
        ] as const)
      : parts.columns.map((width) => [width, 1] as const);
    const columns = cells.map(([width, span], column) =>
      mergedColumn(
        width,
        span,
        begins.map((row, index) => index === 0 || row[column] === true),
      ),
    );
    return fc.tuple(...columns).map((made) => {
      const row = (_: unknown, index: number): string =>
        `<w:tr><w:trPr>${heights[index]}</w:trPr>${made.map((column) => column[index]).join('')}</w:tr>`;
      return documentOf(even === '' ? parts : { ...parts, borders: even, margin: 108 }, begins.map(row));
    });
  });

/** In twips: the height of the text of a page. */
const pageHeight = 13_958;

/** Paragraphs of a cell, with or without spaces. */
const cellTexts = fc
  .array(fc.tuple(wordsOf(30), fc.constantFrom(0, 0, 60), fc.constantFrom(0, 0, 0, 80), fc.constantFrom(240, 276)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all) =>
    all
      .map(
        ([text, before, after, line]) =>
          `<w:p><w:pPr><w:spacing w:before="${before}" w:after="${after}" w:line="${line}" w:lineRule="auto"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`,
      )
      .join(''),
  );

const rowOver = (columns: readonly number[], texts: fc.Arbitrary<string>, properties: string): fc.Arbitrary<string> =>
  joined(
    columns.map((width) =>
      fc
        .tuple(rareBorders, texts)
        .map(
          ([borders, text]) =>
            `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/><w:tcBorders>${borders}</w:tcBorders></w:tcPr>${text}</w:tc>`,
        ),
    ),
  ).map((cells) => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`);

/** A paragraph that may be higher than a page. */
const longText = wordsOf(300).map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`);

/** A document with a table over a page end, whose rows have these properties. */
const tableOverPages = (texts: fc.Arbitrary<string>, properties: string): fc.Arbitrary<DocxInput> =>
  fc
    .record({
      parts: tableParts,
      even: sometimes(evenBorders),
      free: fc.integer({ min: 200, max: 4000 }),
      heading: fc.constantFrom(false, false, true),
      margins: fc.constantFrom('', '<w:top w:w="60" w:type="dxa"/><w:bottom w:w="40" w:type="dxa"/>'),
    })
    .chain(({ parts, even, free, heading, margins }) =>
      fc.array(rowOver(parts.columns, texts, properties), { minLength: 3, maxLength: 7 }).map((rows) => {
        const above = `<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="${pageHeight - free}" w:lineRule="exact"/></w:pPr><w:r><w:t>Above</w:t></w:r></w:p>`;
        const first = heading ? (rows[0] ?? '').replace('<w:trPr>', '<w:trPr><w:tblHeader/>') : (rows[0] ?? '');
        const made = documentOf(even === '' ? parts : { ...parts, borders: even, margin: 108 }, [
          first,
          ...rows.slice(1),
        ]);
        const body = (made.body ?? '')
          .replace('<w:p><w:r><w:t>Above</w:t></w:r></w:p>', above)
          .replace('<w:tblCellMar>', `<w:tblCellMar>${margins}`);
        return { ...made, body };
      }),
    );

/** A document with rows over a page end that may not be split. */
export const rowsOverPages = tableOverPages(cellTexts, '<w:cantSplit/>');

/** A document with rows over page ends that may be split, some of them twice. */
export const splitRows = tableOverPages(
  fc.oneof({ weight: 9, arbitrary: cellTexts }, { weight: 1, arbitrary: longText }),
  '',
);

const gapOf = (end: 'Before' | 'After', columns: readonly number[]): string => {
  const width = columns.reduce((sum, column) => sum + column, 0);
  return columns.length === 0
    ? ''
    : `<w:grid${end} w:val="${columns.length}"/><w:w${end} w:w="${width}" w:type="dxa"/>`;
};

/** Rows of which most leave out columns at their beginning or end. */
export const rowsWithGaps: fc.Arbitrary<DocxInput> = fc
  .record({
    columns: fc.array(fc.integer({ min: 900, max: 2000 }), { minLength: 4, maxLength: 4 }),
    rows: fc.array(
      fc.record({
        gaps: fc.constantFrom([0, 0], [0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [0, 2]),
        halfPoints: fc.constantFrom(8, 16, 22),
        height: fc.constantFrom('', '<w:trHeight w:val="500"/>', '<w:trHeight w:val="400" w:hRule="exact"/>'),
        text: wordsOf(2),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    border: fc.constantFrom(
      '',
      '<w:SIDE w:val="single" w:sz="4" w:color="000000"/>',
      '<w:SIDE w:val="single" w:sz="12" w:color="9F8AB9"/>',
    ),
    markSize: fc.constantFrom(8, 16, 30),
    margin: fc.constantFrom(0, 60, 108),
    indent: fc.constantFrom(0, 200),
    version: fc.constantFrom(12, 14, 15),
  })
  .map(({ columns, rows, border, markSize, margin, indent, version }) => {
    const borders = sides.map((side) => border.replace('SIDE', side)).join('');
    const rowXml = ({ gaps: [before = 0, after = 0], halfPoints, height, text }: (typeof rows)[number]): string => {
      const end = columns.length - after;
      const content = `<w:p><w:pPr><w:spacing w:before="${before === 0 ? 0 : 60}" w:after="${after === 0 ? 100 : 0}"/><w:rPr><w:sz w:val="${markSize}"/></w:rPr></w:pPr><w:r><w:rPr><w:sz w:val="${halfPoints}"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
      const cells = columns
        .slice(before, end)
        .map((width) => `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${content}</w:tc>`);
      return `<w:tr><w:trPr>${gapOf('Before', columns.slice(0, before))}${gapOf('After', columns.slice(end))}${height}</w:trPr>${cells.join('')}</w:tr>`;
    };
    const width = columns.reduce((sum, column) => sum + column, 0);
    const margins = `<w:tblCellMar><w:left w:w="${margin}" w:type="dxa"/><w:right w:w="${margin}" w:type="dxa"/></w:tblCellMar>`;
    const table = `<w:tbl><w:tblPr><w:tblW w:w="${width}" w:type="dxa"/><w:tblInd w:w="${indent}" w:type="dxa"/><w:tblBorders>${borders}</w:tblBorders>${margins}</w:tblPr><w:tblGrid>${columns.map((column) => `<w:gridCol w:w="${column}"/>`).join('')}</w:tblGrid>${rows.map(rowXml).join('')}</w:tbl>`;
    return documentFor(version, `${table}<w:p/>`);
  });

const ignoredExceptions =
  '<w:tblW w:w="7000" w:type="dxa"/><w:jc w:val="center"/><w:tblCellMar><w:left w:w="28" w:type="dxa"/></w:tblCellMar><w:tblLook w:val="0000"/>';
const exceptionOf = (borders: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  borders.map((all) => `<w:tblPrEx><w:tblBorders>${all}</w:tblBorders>${ignoredExceptions}</w:tblPrEx>`);

/** What a row may say against its table. */
const exceptions = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', `<w:tblPrEx>${ignoredExceptions}</w:tblPrEx>`) },
  { weight: 6, arbitrary: exceptionOf(evenBorders) },
  { weight: 1, arbitrary: exceptionOf(anyBorders(sides)) },
);
const ownBorders = /<w:tcBorders>.*?<\/w:tcBorders>/g;

/** A document with a table some of whose rows have other borders, and settings that LibreOffice ignores. */
export const rowsWithExceptions: fc.Arbitrary<DocxInput> = tableParts.chain((parts) =>
  fc.array(fc.tuple(borderedRow(parts.columns), exceptions), { minLength: 1, maxLength: 4 }).map((rows) =>
    documentOf(
      { ...parts, margin: 108 },
      rows.map(([row, exception]) =>
        exception === '' ? row : row.replaceAll(ownBorders, '').replace('<w:trPr>', `${exception}<w:trPr>`),
      ),
    ),
  ),
);
