import { type DocxInput, footnoteReference, paragraph, run } from './docx-builder.ts';

type Cells = readonly string[];
interface TableOptions {
  readonly rows: number;
  /** Content of a body row: text, or XML when it starts with `<w:`. */
  readonly cells?: (index: number) => Cells;
  readonly header?: readonly Cells[];
  readonly repeatsHeader?: boolean;
  readonly properties?: string;
  readonly borders?: string;
  readonly rowProperties?: (index: number) => string;
  readonly cellProperties?: (index: number, column: number) => string;
  readonly widths?: readonly number[];
}

const sides = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];
const line = (side: string, width = 4, color = 'auto'): string =>
  `<w:${side} w:val="single" w:sz="${width}" w:space="0" w:color="${color}"/>`;
const allBorders = sides.map((side) => line(side)).join('');
const words = 'Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore'.split(
  ' ',
);
/** Text of `count` words that differs from row to row. */
const text = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, i) => words[(seed * 7 + i * 3) % words.length]).join(' ');
const plainCells = (index: number): Cells => [
  `${index + 1}`,
  `Item number ${index}`,
  `${(index * 7) % 1000}.00`,
  `${(index * 13) % 1000}.50`,
];
const wrappingCells = (index: number): Cells => [
  `${index + 1}`,
  text(index, (index * index) % 17),
  `${index}.00`,
  text(index, 3),
];

/** A table with `rows` body rows. */
export function longTable(options: TableOptions): string {
  const { rows, cells = plainCells, header = [], widths = [2400, 2400, 2400, 2400], borders = allBorders } = options;
  const cell = (content: string, properties: string, column: number): string =>
    `<w:tc><w:tcPr><w:tcW w:w="${widths[column] ?? 2400}" w:type="dxa"/>${properties}</w:tcPr>${content.startsWith('<w:') ? content : paragraph(content)}</w:tc>`;
  const row = (contents: Cells, properties: string, cellProperties: (column: number) => string): string =>
    `<w:tr>${properties === '' ? '' : `<w:trPr>${properties}</w:trPr>`}${contents.map((content, i) => cell(content, cellProperties(i), i)).join('')}</w:tr>`;
  const repeats = (options.repeatsHeader ?? true) ? '<w:tblHeader/>' : '';
  const heading = header.map((contents) => row(contents, repeats, () => '')).join('');
  const body = Array.from({ length: rows }, (_, index) =>
    row(cells(index), options.rowProperties?.(index) ?? '', (column) => options.cellProperties?.(index, column) ?? ''),
  ).join('');
  const bordersXml = borders === '' ? '' : `<w:tblBorders>${borders}</w:tblBorders>`;
  const properties = options.properties ?? `<w:tblW w:w="9600" w:type="dxa"/>${bordersXml}`;
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${heading}${body}</w:tbl>`;
}

const header: readonly Cells[] = [['No.', 'Item', 'Quantity', 'Price']];
const field = (code: string): string => `<w:fldSimple w:instr=" ${code} "><w:r><w:t>1</w:t></w:r></w:fldSimple>`;
const pageNumbers = `<w:p>${run('Page ')}${field('PAGE')}${run(' of ')}${field('NUMPAGES')}</w:p>`;
const portrait = '<w:pgSz w:w="11906" w:h="16838"/>';
const margins = '<w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="500" w:footer="500"/>';
const section = (content: string): string => `<w:p><w:pPr><w:sectPr>${content}</w:sectPr></w:pPr></w:p>`;
const between = (table: string): string => `${paragraph('Before the table')}${table}${paragraph('After the table')}`;
const bandedStyle = `<?xml version="1.0" encoding="UTF-8"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style><w:style w:type="table" w:styleId="Banded"><w:name w:val="Banded"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblStyleRowBandSize w:val="1"/><w:tblBorders>${line('top', 12, '4472C4')}${line('bottom', 12, '4472C4')}${line('insideH', 4, '8EAADB')}</w:tblBorders></w:tblPr><w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="4472C4"/></w:tcPr></w:tblStylePr><w:tblStylePr w:type="lastRow"><w:rPr><w:b/></w:rPr><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="FFD966"/></w:tcPr></w:tblStylePr><w:tblStylePr w:type="band1Horz"><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="D9E2F3"/></w:tcPr></w:tblStylePr></w:style></w:styles>`;
const banded = (look: string): string =>
  `<w:tblStyle w:val="Banded"/><w:tblW w:w="9600" w:type="dxa"/><w:tblLook w:val="${look}"/>`;
const numbering = `<?xml version="1.0" encoding="UTF-8"?><w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:lvlJc w:val="left"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
const numbered = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:p>';
const nested = (index: number): string =>
  `${longTable({ rows: 1 + (index % 3), cells: (i) => [`${index}`, `${i}`], widths: [900, 900] })}<w:p/>`;
const picture = (index: number): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="${200_000 + (index % 5) * 100_000}" cy="${150_000 + (index % 7) * 60_000}"/><wp:docPr id="${index + 1}" name="P${index}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${index + 1}" name="P"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rIdPicture"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="300000" cy="200000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const lines = (count: number): string => Array.from({ length: count }, (_, i) => paragraph(`line ${i}`)).join('');
const span = (index: number, column: number): string =>
  column > 0 ? '' : index % 4 === 0 ? '<w:vMerge w:val="restart"/>' : '<w:vMerge/>';

/** Documents with long tables; `rows` of the tables can be chosen. Each may be laid out in parts unless `isWhole`. */
export const longTableDocuments: Readonly<Record<string, (rows: number) => DocxInput & { readonly isWhole?: true }>> = {
  'rows of one line': (rows) => ({ body: between(longTable({ rows })) }),
  'a repeated heading': (rows) => ({ body: between(longTable({ rows, header })) }),
  'two heading rows': (rows) => ({
    body: between(longTable({ rows, header: [['Report', '', '', ''], ...header] })),
  }),
  'a heading that is not repeated': (rows) => ({ body: between(longTable({ rows, header, repeatsHeader: false })) }),
  'rows of different heights': (rows) => ({ body: between(longTable({ rows, header, cells: wrappingCells })) }),
  'different heights without heading': (rows) => ({ body: between(longTable({ rows, cells: wrappingCells })) }),
  'rows that break over pages': (rows) => ({
    body: between(longTable({ rows, header, cells: (i) => [`${i}`, lines(1 + ((i * 5) % 9)), text(i, 30), 'x'] })),
  }),
  'rows that may not break': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        cells: (i) => [`${i}`, lines(1 + ((i * 5) % 6)), text(i, 20), 'x'],
        rowProperties: () => '<w:cantSplit/>',
      }),
    ),
  }),
  'cells merged over four rows': (rows) => ({ body: between(longTable({ rows, header, cellProperties: span })) }),
  'exact and minimum row heights': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        rowProperties: (i) =>
          `<w:trHeight w:val="${300 + (i % 5) * 90}" w:hRule="${i % 2 === 0 ? 'exact' : 'atLeast'}"/>`,
        cellProperties: (i) => `<w:vAlign w:val="${['top', 'center', 'bottom'][i % 3] ?? 'top'}"/>`,
      }),
    ),
  }),
  'tables in tables': (rows) => ({
    body: between(longTable({ rows, header, cells: (i) => [`${i}`, nested(i), `${i}`, 'x'] })),
  }),
  'pictures in cells': (rows) => ({
    body: between(longTable({ rows, header, cells: (i) => [`${i}`, picture(i), `${i}`, 'x'] })),
    parts: { 'word/media/p.png': pixel },
    rels: [{ id: 'rIdPicture', type: 'image', target: 'media/p.png' }],
  }),
  'footnotes in cells': (rows) => {
    const notes = Array.from({ length: Math.ceil(rows / 20) }, (_, i) => paragraph(`Note ${i} ${text(i, 8)}`));
    const cells = (i: number): Cells => [
      i % 20 === 0 ? `<w:p>${run(`${i}`)}${footnoteReference(i / 20 + 1)}</w:p>` : `${i}`,
      `Item ${i}`,
      'x',
      'y',
    ];
    return { body: between(longTable({ rows, header, cells })), footnotes: notes };
  },
  'numbered paragraphs in cells': (rows) => ({
    body: between(longTable({ rows, header, cells: (i) => [numbered, `Item ${i}`, `${i}`, 'x'] })),
    parts: { 'word/numbering.xml': numbering },
    rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
    contentTypes: {
      'word/numbering.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml',
    },
  }),
  'bookmarks and links to them': (rows) => ({
    body: `<w:p><w:hyperlink w:anchor="row${rows - 5}">${run('To the end')}</w:hyperlink>${field(`PAGEREF row${rows - 5} \\h`)}</w:p>${longTable(
      {
        rows,
        header,
        cells: (i) => [
          `<w:p><w:bookmarkStart w:id="${i}" w:name="row${i}"/>${run(`${i}`)}<w:bookmarkEnd w:id="${i}"/></w:p>`,
          'a',
          'b',
          'c',
        ],
      },
    )}<w:p/>`,
  }),
  'no borders': (rows) => ({ body: between(longTable({ rows, header, borders: '' })) }),
  'borders outside only': (rows) => ({
    body: between(
      longTable({ rows, borders: ['top', 'left', 'bottom', 'right'].map((side) => line(side, 18)).join('') }),
    ),
  }),
  'thick and thin borders': (rows) => ({
    body: between(
      longTable({ rows, header, borders: `${line('top', 24)}${line('bottom', 24)}${line('insideH', 2, 'CCCCCC')}` }),
    ),
  }),
  'a banded style': (rows) => ({
    body: between(longTable({ rows, header, properties: banded('04A0') })),
    parts: { 'word/styles.xml': bandedStyle },
  }),
  'a banded style with first and last row': (rows) => ({
    body: between(longTable({ rows, properties: banded('0460') })),
    parts: { 'word/styles.xml': bandedStyle },
  }),
  'a centred, indented table': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        widths: [1500, 1700, 1900, 2100],
        properties: `<w:tblW w:w="7200" w:type="dxa"/><w:jc w:val="center"/><w:tblBorders>${allBorders}</w:tblBorders>`,
      }),
    ),
  }),
  'automatic widths': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        cells: wrappingCells,
        widths: [500, 4000, 1200, 3900],
        properties: `<w:tblW w:w="0" w:type="auto"/><w:tblBorders>${allBorders}</w:tblBorders><w:tblLayout w:type="autofit"/>`,
      }),
    ),
  }),
  'cell spacing': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        properties: `<w:tblW w:w="9600" w:type="dxa"/><w:tblCellSpacing w:w="30" w:type="dxa"/><w:tblBorders>${allBorders}</w:tblBorders>`,
      }),
    ),
  }),
  'written from right to left': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        properties: `<w:bidiVisual/><w:tblW w:w="9600" w:type="dxa"/><w:tblBorders>${allBorders}</w:tblBorders>`,
      }),
    ),
  }),
  'paragraphs kept with the next': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        cells: (i) => [
          i % 3 === 0 ? `<w:p><w:pPr><w:keepNext/></w:pPr>${run(`${i}`)}</w:p>` : `${i}`,
          text(i, (i * 3) % 11),
          'x',
          'y',
        ],
      }),
    ),
  }),
  'a cover, a landscape section and page numbers': (rows) => ({
    body: `${paragraph('Cover')}${section(`${portrait}${margins}`)}${paragraph('Before')}${longTable({ rows, header, cells: wrappingCells })}${section(`<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>${margins}<w:titlePg/>`)}${lines(80)}`,
    headers: [paragraph('Header'), `${lines(4)}`],
    footers: [pageNumbers],
  }),
  'two long tables': (rows) => ({
    body: `${longTable({ rows, header })}${paragraph('Between')}${longTable({ rows, cells: wrappingCells })}${paragraph('After')}`,
    footers: [pageNumbers],
  }),
  'a table below much text': (rows) => ({ body: `${lines(95)}${longTable({ rows, header })}${paragraph('After')}` }),
  'a single long row': (rows) => ({
    body: between(
      longTable({ rows, header, cells: (i) => (i === rows - 60 ? [`${i}`, text(i, 30), 'x', 'y'] : plainCells(i)) }),
    ),
  }),
  'complex fields over rows': (rows) => ({
    body: between(
      longTable({
        rows,
        header,
        cells: (i) => [
          `<w:p>${run(`${i}`)}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('1')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
          'a',
          'b',
          'c',
        ],
      }),
    ),
  }),
  'a floating table': (rows) => ({
    isWhole: true,
    body: between(
      longTable({
        rows,
        properties: `<w:tblpPr w:leftFromText="141" w:rightFromText="141" w:vertAnchor="text" w:tblpY="1"/><w:tblW w:w="9600" w:type="dxa"/><w:tblBorders>${allBorders}</w:tblBorders>`,
      }),
    ),
  }),
  'a section with columns': (rows) => ({
    isWhole: true,
    body: `${longTable({ rows, widths: [900, 900, 900, 900] })}${section(`${portrait}${margins}<w:cols w:num="2" w:space="708"/>`)}${paragraph('After')}`,
  }),
};
