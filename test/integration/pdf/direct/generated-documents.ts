import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const words = 'lorem ipsum dolor sit amet VAT Te AWAY total 12,345.67 item price'.split(' ');
const textOf = (most: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((all) => all.join(' '));
const sometimes = <T>(value: fc.Arbitrary<T>, fallback: T): fc.Arbitrary<T> => fc.oneof(fc.constant(fallback), value);
const joined = (parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(''));
const shadingOf = (...fills: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('', ...fills.map((fill) => `<w:shd w:val="clear" w:fill="${fill}"/>`));
const shading = shadingOf('DFD8E8', '4472C4', 'C0C0C0', '8064A2');
const outerSides = ['top', 'left', 'bottom', 'right'] as const;
const sides = [...outerSides, 'insideH', 'insideV'] as const;

const paragraph = (text: string, properties: string): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** The borders of a table have one width: where several meet in a corner, a pixel may be another. */
interface Ink {
  readonly width: number;
  readonly color: string;
}

const border = (side: string, { width, color }: Ink): fc.Arbitrary<string> =>
  fc.constantFrom(
    '',
    `<w:${side} w:val="nil"/>`,
    ...Array.from({ length: 4 }, () => `<w:${side} w:val="single" w:sz="${width}" w:space="0" w:color="${color}"/>`),
  );

/** The format of an area in the style of a table. */
const area = (name: string, ink: Ink): fc.Arbitrary<string> =>
  joined([
    sometimes(
      fc
        .constantFrom('', '<w:jc w:val="center"/>')
        .map((jc) => `<w:pPr><w:spacing w:before="40" w:after="60" w:line="240" w:lineRule="auto"/>${jc}</w:pPr>`),
      '',
    ),
    fc.constantFrom('', '<w:rPr><w:b/></w:rPr>', '<w:rPr><w:i/><w:color w:val="FFFFFF"/></w:rPr>'),
    fc
      .tuple(sometimes(joined(sides.map((side) => border(side, ink))), ''), sometimes(shading, ''))
      .map(([borders, fill]) => `<w:tcPr><w:tcBorders>${borders}</w:tcBorders>${fill}</w:tcPr>`),
  ]).map((content) => `<w:tblStylePr w:type="${name}">${content}</w:tblStylePr>`);

const areas = ['firstRow', 'lastRow', 'firstCol', 'lastCol', 'band1Vert', 'band2Vert', 'band1Horz', 'band2Horz'];

const tableStyle = (ink: Ink): fc.Arbitrary<string> =>
  fc
    .tuple(
      sometimes(joined(sides.map((side) => border(side, ink))), ''),
      sometimes(shading, ''),
      joined(areas.map((name) => sometimes(area(name, ink), ''))),
    )
    .map(
      ([borders, fill, formats]) =>
        `<w:style w:type="table" w:styleId="T"><w:name w:val="T"/><w:pPr><w:spacing w:after="0"/></w:pPr><w:tblPr><w:tblBorders>${borders}</w:tblBorders><w:tblCellMar><w:left w:w="108" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tcPr>${fill}</w:tcPr>${formats}</w:style>`,
    );

const stylesOf = (table: string): string =>
  `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Sans" w:hAnsi="Liberation Sans"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:before="30"/></w:pPr><w:rPr><w:b w:val="0"/><w:color w:val="AA0000"/></w:rPr></w:style>${table}</w:styles>`;

/** For a version of Word: 15 is that of 2013 and later ones. */
const settingsFor = (version: number): string =>
  `<w:settings xmlns:w="${word}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`;

const around = (table: string): Pick<DocxInput, 'body' | 'rels'> => ({
  body: `<w:p><w:r><w:t>Above</w:t></w:r></w:p>${table}<w:p><w:r><w:t>Below</w:t></w:r></w:p>`,
  rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
});

interface TableParts {
  readonly style: string;
  readonly look: number;
  readonly widths: readonly number[];
  readonly rows: number;
  /** Texts and whether their paragraph has a style of its own. */
  readonly texts: readonly (readonly [string, boolean])[];
}

function documentWithTable({ style, look, widths, rows, texts }: TableParts): DocxInput {
  const cell = (width: number, [text, isOwn]: readonly [string, boolean] = ['', false]): string =>
    `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr><w:p><w:pPr>${isOwn ? '<w:pStyle w:val="Own"/>' : ''}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const row = (index: number): string =>
    `<w:tr>${widths.map((width, column) => cell(width, texts[(index + column) % texts.length])).join('')}</w:tr>`;
  const table = `<w:tbl><w:tblPr><w:tblStyle w:val="T"/><w:tblW w:w="0" w:type="auto"/><w:tblLook w:val="${look.toString(16)}"/></w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${Array.from({ length: rows }, (_, index) => row(index)).join('')}</w:tbl>`;
  return { ...around(table), parts: { 'word/styles.xml': stylesOf(style), 'word/settings.xml': settingsFor(15) } };
}

/** A document with a table whose style formats areas for themselves. */
export const styledTable: fc.Arbitrary<DocxInput> = fc
  .record({
    style: fc
      .record({ width: fc.constantFrom(4, 8, 12), color: fc.constantFrom('9F8AB9', 'FFFFFF') })
      .chain(tableStyle),
    look: fc.integer({ min: 0, max: 0x3f }).map((bits) => bits << 5),
    widths: fc.array(fc.integer({ min: 1500, max: 2200 }), { minLength: 1, maxLength: 4 }),
    texts: fc.array(fc.tuple(textOf(3), fc.boolean()), { minLength: 4, maxLength: 4 }),
    rows: fc.integer({ min: 1, max: 5 }),
  })
  .map(documentWithTable);

/** In twips: LibreOffice asks the columns, and no cell, as long as the cells of a row fill them. */
const cellWidth = fc.oneof(
  fc.integer({ min: 300, max: 4000 }).map((width) => `<w:tcW w:w="${width}" w:type="dxa"/>`),
  fc.integer({ min: 300, max: 5000 }).map((width) => `<w:tcW w:w="${width}" w:type="pct"/>`),
  fc.constantFrom('', '<w:tcW w:w="0" w:type="auto"/>'),
);

const alignments = ['left', 'center', 'right'];
const rowAlignment = fc.constantFrom('', ...alignments.map((one) => `<w:trPr><w:jc w:val="${one}"/></w:trPr>`));

/** Cells of three columns, of which some take several. */
const rowOfThree = fc
  .tuple(
    fc.constantFrom([1, 1, 1], [2, 1], [1, 2], [3]),
    sometimes(rowAlignment, ''),
    fc.array(fc.tuple(cellWidth, textOf(5)), { minLength: 3, maxLength: 3 }),
  )
  .map(([spans, properties, cells]) => {
    const cell = (span: number, index: number): string => {
      const [width, text] = cells[index] ?? ['', ''];
      return `<w:tc><w:tcPr>${width}${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ''}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    };
    return `<w:tr>${properties}${spans.map(cell).join('')}</w:tr>`;
  });

/** A document with a table that is as wide as its columns or a share of the text, at the left, in the middle or at the right. */
export const placedTable: fc.Arbitrary<DocxInput> = fc
  .record({
    columns: fc.array(fc.integer({ min: 900, max: 3500 }), { minLength: 3, maxLength: 3 }),
    share: sometimes(fc.integer({ min: 1500, max: 5000 }), undefined),
    alignment: fc.constantFrom('', '<w:jc w:val="center"/>', '<w:jc w:val="right"/>'),
    indent: fc.constantFrom('', '<w:tblInd w:w="200" w:type="dxa"/>', '<w:tblInd w:w="-150" w:type="dxa"/>'),
    layout: fc.constantFrom('', '<w:tblLayout w:type="fixed"/>'),
    margin: fc.constantFrom(60, 108, 200),
    borderWidth: fc.constantFrom(4, 6, 8, 12),
    version: fc.constantFrom(12, 14, 15),
    rows: fc.array(rowOfThree, { minLength: 1, maxLength: 3 }),
  })
  .map(({ columns, share, alignment, indent, layout, margin, borderWidth, version, rows }) => {
    const borders = sides.map((side) => `<w:${side} w:val="single" w:sz="${borderWidth}" w:color="9F8AB9"/>`).join('');
    const width = share === undefined ? '<w:tblW w:w="0" w:type="auto"/>' : `<w:tblW w:w="${share}" w:type="pct"/>`;
    const margins = `<w:tblCellMar><w:left w:w="${margin}" w:type="dxa"/><w:right w:w="${margin}" w:type="dxa"/></w:tblCellMar>`;
    const grid = columns.map((column) => `<w:gridCol w:w="${column}"/>`).join('');
    const table = `<w:tbl><w:tblPr>${width}${alignment}${indent}<w:tblBorders>${borders}</w:tblBorders>${layout}${margins}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`;
    return {
      ...around(table),
      parts: { 'word/styles.xml': stylesOf(''), 'word/settings.xml': settingsFor(version) },
    };
  });

const cellOf = (width: number, content: string): string =>
  `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${content}</w:tc>`;

interface PlainTable {
  readonly columns: readonly number[];
  readonly indent: number;
  readonly borderWidth: number;
  readonly margin: number;
  /** Of the width around it, in fiftieths of a percent; undefined for the width of its columns. */
  readonly share: number | undefined;
  readonly alignment: string;
}

/** A table with the same content in each cell of its rows but the first, which is `first`. */
function plainTable(
  { columns, indent, borderWidth, margin, share, alignment }: PlainTable,
  rows: number,
  content: string,
  first: string,
) {
  const borders = sides.map((side) => `<w:${side} w:val="single" w:sz="${borderWidth}" w:color="9F8AB9"/>`).join('');
  const margins = `<w:tblCellMar><w:left w:w="${margin}" w:type="dxa"/><w:right w:w="${margin}" w:type="dxa"/></w:tblCellMar>`;
  const grid = columns.map((column) => `<w:gridCol w:w="${column}"/>`).join('');
  const row = (_: unknown, index: number): string =>
    `<w:tr>${columns.map((width, column) => cellOf(width, index + column === 0 ? first : content)).join('')}</w:tr>`;
  const width = share === undefined ? '<w:tblW w:w="0" w:type="auto"/>' : `<w:tblW w:w="${share}" w:type="pct"/>`;
  return `<w:tbl><w:tblPr>${width}${alignment}<w:tblInd w:w="${indent}" w:type="dxa"/>${borderWidth === 0 ? '' : `<w:tblBorders>${borders}</w:tblBorders>`}${margins}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${Array.from({ length: rows }, row).join('')}</w:tbl>`;
}

const plainTableParts = (
  least: number,
  most: number,
  mostColumns: number,
  margins: readonly number[],
): fc.Arbitrary<PlainTable> =>
  fc.record({
    share: sometimes(fc.constantFrom(5000, 5000, 5001, 4400, 2525), undefined),
    alignment: fc.constantFrom('', '', '<w:jc w:val="center"/>', '<w:jc w:val="right"/>'),
    columns: fc.array(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: mostColumns }),
    indent: fc.constantFrom(0, 0, 200),
    borderWidth: fc.constantFrom(0, 4, 8),
    margin: fc.constantFrom(...margins),
  });

/** A document with a table in the first cell of a table; the paragraph behind it is often empty. */
export const tableInCell: fc.Arbitrary<DocxInput> = fc
  .record({
    outer: plainTableParts(4200, 4600, 2, [0, 60, 108, 200]),
    inner: plainTableParts(900, 1250, 3, [60, 108, 200]),
    rows: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
    texts: fc.tuple(textOf(5), textOf(3)),
    before: sometimes(textOf(5), ''),
    behind: sometimes(textOf(5), ''),
    version: fc.constantFrom(12, 14, 15),
  })
  .map(({ outer, inner, rows: [outerRows, innerRows], texts: [outerText, innerText], before, behind, version }) => {
    const [besides, inside] = [paragraph(outerText, ''), paragraph(innerText, '')];
    const first = `${before === '' ? '' : paragraph(before, '')}${plainTable(inner, innerRows, inside, inside)}${behind === '' ? '<w:p/>' : paragraph(behind, '')}`;
    return {
      ...around(plainTable(outer, outerRows, besides, first)),
      parts: { 'word/styles.xml': stylesOf(''), 'word/settings.xml': settingsFor(version) },
    };
  });

/** A document with a table of thin borders whose first row has others. */
export function tableWithFirstRow(borders: string, look: number, rows: number, columns: number): DocxInput {
  const ofTable = outerSides
    .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="000000"/>`)
    .join('');
  const style = `<w:style w:type="table" w:styleId="T"><w:name w:val="T"/><w:tblPr><w:tblBorders>${ofTable}</w:tblBorders></w:tblPr><w:tblStylePr w:type="firstRow"><w:tcPr><w:tcBorders>${borders}</w:tcBorders></w:tcPr></w:tblStylePr></w:style>`;
  const widths = Array.from({ length: columns }, () => 2000);
  return documentWithTable({ style, look, widths, rows, texts: [['text', false]] });
}

const paragraphBorder = (side: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(4, 6, 8, 12, 24), fc.constantFrom(0, 1, 4, 10))
    .map(([width, space]) => `<w:${side} w:val="single" w:sz="${width}" w:space="${space}" w:color="9F8AB9"/>`);

/** A document with a paragraph that has borders on some sides, between others. */
export const borderedParagraphs: fc.Arbitrary<DocxInput> = fc
  .record({
    borders: joined(outerSides.map((side) => sometimes(paragraphBorder(side), ''))),
    // A twip shows where thin lines stand on dark shading.
    fill: shadingOf('DDEEFF'),
    indent: sometimes(
      fc
        .tuple(fc.constantFrom(0, 300, 720), fc.constantFrom('', 'w:hanging="200"', 'w:firstLine="300"'))
        .map(([left, first]) => `<w:ind w:left="${left}" w:right="500" ${first}/>`),
      '',
    ),
    alignment: fc.constantFrom('left', 'center', 'right'),
    text: textOf(30),
  })
  .map(({ borders, fill, indent, alignment, text }) => ({
    body: [
      paragraph('Above', ''),
      paragraph(text, `<w:pBdr>${borders}</w:pBdr>${fill}${indent}<w:jc w:val="${alignment}"/>`),
      paragraph('Below', ''),
    ].join(''),
  }));
