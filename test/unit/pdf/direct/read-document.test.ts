import { expect, test } from 'vitest';
import { readDocument } from '../../../../src/worker/pdf/direct/document/read-document.ts';
import {
  type Block,
  type DocumentTree,
  type Paragraph,
  tableParts,
} from '../../../../src/worker/pdf/direct/document/tree.ts';
import { UnknownFeature } from '../../../../src/worker/pdf/direct/unknown-feature.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const strictWord = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
const stylesXml = (styles: string): string =>
  `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault/><w:pPrDefault><w:pPr><w:spacing w:after="200" w:line="276"/></w:pPr></w:pPrDefault></w:docDefaults>${styles}</w:styles>`;
const normal = '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>';
const tight =
  '<w:style w:type="paragraph" w:styleId="Tight"><w:name w:val="Tight"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="40"/></w:pPr></w:style>';
const grid =
  '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/><w:pPr><w:spacing w:after="0" w:line="240"/></w:pPr><w:tblPr><w:tblBorders><w:left w:val="single" w:sz="8"/></w:tblBorders></w:tblPr></w:style>';
const cell = (style: string): string => `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`;
const table = `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${cell('Normal')}${cell('Tight')}</w:tc></w:tr></w:tbl>`;
const settingsXml = (compat: string): string =>
  `<w:settings xmlns:w="${word}"><w:compat>${compat}</w:compat></w:settings>`;
const mode = (value: number): string =>
  `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${value}"/>`;

interface Parts {
  readonly body: string;
  readonly numbering?: string;
  readonly styles?: string;
  readonly compat?: string;
}

function read(
  { body, styles = normal, compat = mode(15), numbering = '' }: Parts,
  rewrite = (xml: string): string => xml,
): DocumentTree {
  const parts = {
    'word/styles.xml': rewrite(stylesXml(styles)),
    'word/settings.xml': settingsXml(compat),
    'word/numbering.xml': `<w:numbering xmlns:w="${word}">${numbering}</w:numbering>`,
  };
  const rels = ['settings', 'numbering'].map((type) => ({ id: type, type, target: `${type}.xml` }));
  return readDocument(buildDocx({ body, parts, rels }));
}

const blocksOf = (parts: Parts): readonly Block[] => read(parts).sections[0]?.blocks ?? [];
const textOf = (block: Block): string =>
  block.kind === 'paragraph' ? block.inlines.map((one) => (one.kind === 'text' ? one.text : '')).join('') : '';
const formatsOf = (blocks: readonly Block[]): Paragraph['format'][] =>
  blocks.flatMap((block) => (block.kind === 'paragraph' ? [block.format] : []));

function tableOf(parts: Parts) {
  const [block] = blocksOf(parts);
  if (block?.kind !== 'table') throw new Error('no table');
  return block;
}

const tables = { body: `${table}${paragraph('below')}`, styles: normal + tight + grid };

test('a table style changes paragraphs whose own styles leave it to the defaults of the document', () => {
  const [untouched, tightened] = formatsOf(tableOf(tables).rows[0]?.cells[0]?.blocks ?? []);
  expect(untouched).toMatchObject({ after: 0, line: 240 });
  expect(tightened).toMatchObject({ after: 40, line: 240 });
  const [below] = formatsOf(blocksOf(tables).slice(1));
  expect(below).toMatchObject({ after: 200, line: 276 });
});

test.each([
  ['begins at the margin with the text of its cells for Word 2010', mode(14), -108],
  ['begins at the margin with its border since Word 2013', mode(15), 10],
  ['begins so without a version too', '', 10],
])('a table %s', (_title, compat, left) => {
  expect(tableOf({ ...tables, compat }).left).toBe(left);
});

test.each([
  ['are one where their formats are', ['', '', '<w:noProof/>'], ['one two three ']],
  ['with other properties are apart', ['', '<w:lang w:val="de-DE"/>', ''], ['one ', 'two ', 'three ']],
])('runs side by side %s', (_title, properties, texts) => {
  const words = ['one ', 'two ', 'three '];
  const runs = words.map((text, index) => {
    const own = `<w:rPr>${properties[index]}</w:rPr>`;
    return `<w:r>${own}<w:t xml:space="preserve">${text}</w:t></w:r>`;
  });
  const inlines = texts.map((text) => ({ kind: 'text', text, isApart: true }));
  expect(blocksOf({ body: `<w:p>${runs.join('<w:proofErr w:type="spellStart"/>')}</w:p>` })).toMatchObject([
    { inlines },
  ]);
});

test('runs with a bookmark between them may be one or not', () => {
  const run = '<w:r><w:t>word</w:t></w:r>';
  const body = `<w:p>${run}<w:bookmarkStart w:id="1" w:name="a"/>${run}<w:bookmarkEnd w:id="1"/></w:p>`;
  expect(blocksOf({ body })).toMatchObject([{ inlines: [{ isApart: true }, { isApart: false }] }]);
});

const withMargins = (margin: number, borders: string): string =>
  table
    .replace('<w:tblW', `<w:tblCellMar><w:left w:w="${margin}"/><w:right w:w="${margin}"/></w:tblCellMar><w:tblW`)
    .replace('<w:tcPr>', `<w:tcPr><w:tcBorders>${borders}</w:tcBorders>`);

test('the margins of cells grow for half of the borders of the first cell', () => {
  const wide = '<w:left w:val="single" w:sz="24"/><w:right w:val="single" w:sz="16"/>';
  const { left, rows } = tableOf({ ...tables, body: withMargins(10, wide) + paragraph('below') });
  expect(left).toBe(30);
  expect(rows[0]?.cells[0]).toMatchObject({ marginLeft: 30, marginRight: 20 });
});

test('a wide left border alone is left to LibreOffice', () => {
  const body = withMargins(10, '<w:left w:val="single" w:sz="24"/>') + paragraph('below');
  expect(() => tableOf({ ...tables, body })).toThrow(new UnknownFeature('a border wider than the margin of its cell'));
});

const mergedTable = (merges: readonly (readonly string[])[]): string => {
  const one = (merge: string): string =>
    `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/>${merge === '' ? '' : `<w:vMerge w:val="${merge}"/>`}</w:tcPr><w:p/></w:tc>`;
  const rows = merges.map((row) => `<w:tr>${row.map(one).join('')}</w:tr>`).join('');
  return `<w:tbl><w:tblPr><w:tblW w:w="4000" w:type="dxa"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(2)}</w:tblGrid>${rows}</w:tbl>${paragraph('below')}`;
};

test('merged cells take the rows of those that they cover', () => {
  const body = mergedTable([
    ['restart', ''],
    ['continue', 'restart'],
    ['continue', ''],
  ]);
  const spans = tableOf({ body }).rows.map(({ cells }) => cells.map(({ rowSpan }) => rowSpan));
  expect(spans).toEqual([
    [3, 1],
    [0, 1],
    [0, 1],
  ]);
});

test('a merged cell without a beginning is left to LibreOffice', () => {
  expect(() => tableOf({ body: mergedTable([['continue', '']]) })).toThrow(
    new UnknownFeature('a merged cell without a beginning'),
  );
});

const withGaps = (properties: string, first: string): string => {
  const one = (content: string): string => `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${content}</w:tc>`;
  const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(
    (side) => `<w:${side} w:val="single" w:sz="8"/>`,
  );
  const row = `<w:tr><w:trPr><w:gridBefore w:val="1"/><w:gridAfter w:val="1"/></w:trPr>${one(first)}</w:tr>`;
  return `<w:tbl><w:tblPr><w:tblW w:w="6000" w:type="dxa"/>${properties}<w:tblBorders>${borders.join('')}</w:tblBorders></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(3)}</w:tblGrid>${row}</w:tbl>${paragraph('below')}`;
};

test('columns that a row leaves out are empty cells without borders', () => {
  const body = withGaps('', '<w:p><w:pPr><w:spacing w:after="70"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>');
  const [row] = tableOf({ body }).rows;
  const none = { top: undefined, bottom: undefined, left: undefined, right: undefined };
  expect(row?.cells).toMatchObject([
    { borders: none, blocks: [{ inlines: [], format: { after: 70 } }] },
    { borders: { left: { width: 20 }, right: { width: 20 } } },
    { borders: none, blocks: [{ inlines: [], format: { after: 200 } }] },
  ]);
});

test.each([
  ['a style', '<w:tblStyle w:val="Grid"/>', '<w:p/>'],
  ['a paragraph that stays with the next one', '', '<w:p><w:pPr><w:keepNext/></w:pPr></w:p>'],
])('columns that a row with %s leaves out are left to LibreOffice', (_name, properties, first) => {
  expect(() => tableOf({ styles: normal + grid, body: withGaps(properties, first) })).toThrow(
    new UnknownFeature('rows without columns in a table of several formats'),
  );
});

test('columns end at ten-thousandths of the width of their table, in whole twips', () => {
  const widths = [737, 3685, 964, 964, 1474, 1587];
  const cells = widths.map((width) => `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr><w:p/></w:tc>`);
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  const body = `<w:tbl><w:tblPr><w:tblW w:w="9411" w:type="dxa"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid><w:tr>${cells.join('')}</w:tr></w:tbl>`;
  const read = tableOf({ body: body + paragraph('below') }).rows[0]?.cells ?? [];
  const ends = read.map(({ end }) => Math.floor((end * 9411) / tableParts));
  // As measured in LibreOffice 25.2.
  expect(ends).toEqual([736, 4422, 5385, 6349, 7824, 9411]);
});

test.each([
  ['in twips, as the columns rounded', '<w:tblW w:w="4003" w:type="dxa"/>', { amount: 4000, unit: 'twips' }],
  ['in fiftieths of a percent', '<w:tblW w:w="3333" w:type="pct"/>', { amount: 66, unit: 'percent' }],
])('a table has a width %s', (_title, width, expected) => {
  const body = table.replace('<w:tblW w:w="0" w:type="auto"/>', width).replace('w:w="4000" w:type="dxa"', 'w:w="9"');
  expect(tableOf({ ...tables, body: body + paragraph('below') }).width).toEqual(expected);
});

// As measured in LibreOffice 25.2: a table is as wide as the next hundredth of a millimetre above the sum of its columns.
test.each([
  [1600, 1600],
  [1605, 1606],
  [1626, 1627],
  [7200, 7200],
])('a table with a column of %i twips and no width of its own is %i twips wide', (column, expected) => {
  const body = table.replace('<w:gridCol w:w="4000"/>', `<w:gridCol w:w="${column}"/>`);
  expect(tableOf({ ...tables, body: body + paragraph('below') }).width).toEqual({ amount: expected, unit: 'twips' });
});

test.each([
  [[2000, 2000], 0],
  [[1001, 1003], 2],
  [[3008, 3009, 3009], 2],
  [[2000, 2000, 2000], 2],
  [[2256, 2256, 2257, 2257], 2],
  [[2750, 1291, 2206], 0],
])('columns of %j twips may end %i twips beside their places', (widths, expected) => {
  const cells = widths.map((width) => `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr><w:p/></w:tc>`);
  const columns = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  const body = `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${columns}</w:tblGrid><w:tr>${cells.join('')}</w:tr></w:tbl>`;
  const slacks = tableOf({ body: body + paragraph('below') }).rows[0]?.cells.map(({ widthSlack }) => widthSlack);
  expect(slacks).toEqual(widths.map(() => expected));
});

test('a row with borders of its own has them on all sides, and nothing else of its exceptions', () => {
  const border = (side: string): string => `<w:${side} w:val="single" w:sz="12" w:color="1F5B45"/>`;
  const borders = ['top', 'bottom', 'left', 'right', 'insideH', 'insideV'].map(border).join('');
  const exceptions = `<w:tblPrEx><w:tblBorders>${borders}</w:tblBorders><w:tblCellMar><w:left w:w="9" w:type="dxa"/></w:tblCellMar></w:tblPrEx>`;
  const plain = tableOf({ ...tables, body: table + paragraph('below') }).rows[0];
  const own = tableOf({ ...tables, body: table.replace('<w:tr>', `<w:tr>${exceptions}`) + paragraph('below') }).rows[0];
  const expected = { width: 30, color: '1F5B45' };
  expect(own?.cells[0]?.borders).toMatchObject({ top: expected, bottom: expected, left: expected, right: expected });
  expect(own?.cells[0]?.marginRight).toBe(plain?.cells[0]?.marginRight);
});

test.each([
  [
    'a table that is wider or narrower than its columns',
    table.replace('w:w="0" w:type="auto"', 'w:w="3996" w:type="dxa"'),
  ],
  [
    'a row with other borders on some sides',
    table.replace(
      '<w:tr>',
      '<w:tr><w:tblPrEx><w:tblBorders><w:top w:val="single" w:sz="4" w:color="000000"/></w:tblBorders></w:tblPrEx>',
    ),
  ],
  ['w:tblCellSpacing of a row', table.replace('<w:tr>', '<w:tr><w:tblPrEx><w:tblCellSpacing w:w="10"/></w:tblPrEx>')],
  ['w:tblW w:w="5050"', table.replace('w:w="0" w:type="auto"', 'w:w="5050" w:type="pct"')],
])('%s is left to LibreOffice', (reason, body) => {
  expect(() => tableOf({ ...tables, body: body + paragraph('below') })).toThrow(new UnknownFeature(reason));
});

test('a tab is filled with the character of its leader, a heavy line as a thin one', () => {
  const stops = ['none', 'dot', 'hyphen', 'underscore', 'heavy', 'middleDot'].map(
    (leader, index) => `<w:tab w:val="left" w:leader="${leader}" w:pos="${index}"/>`,
  );
  const [format] = formatsOf(blocksOf({ body: `<w:p><w:pPr><w:tabs>${stops.join('')}</w:tabs></w:pPr></w:p>` }));
  expect(format?.tabs.map(({ leader }) => leader)).toEqual(['', '.', '-', '_', '_', '·']);
});

test('without a default style, the one named Normal is taken', () => {
  const named =
    '<w:style w:type="paragraph" w:styleId="a"><w:name w:val="Normal"/><w:pPr><w:jc w:val="center"/></w:pPr></w:style>';
  expect(formatsOf(blocksOf({ body: paragraph('text'), styles: named }))).toMatchObject([{ alignment: 'center' }]);
  expect(() => blocksOf({ body: paragraph('text'), styles: tight })).toThrow(
    new UnknownFeature('a document without a default style'),
  );
});

test('the strict form of the standard has the same meaning', () => {
  const made = read({ body: cell('Tight'), styles: normal + tight }, (xml) => xml.replace(word, strictWord));
  expect(formatsOf(made.sections[0]?.blocks ?? [])).toMatchObject([{ after: 40 }]);
});

const macro = (code: string, result = ''): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">${code}</w:instrText></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

test('a macro button alone in its paragraph is its label', () => {
  const body = `<w:p>${macro(' MACROBUTTON NoMacro [Name]')}</w:p>`;
  expect(blocksOf({ body })).toMatchObject([{ inlines: [{ kind: 'text', text: '[Name]' }] }]);
});

test.each([
  ['a macro button in text', `${macro(' MACROBUTTON NoMacro [Name]')}<w:r><w:t>text</w:t></w:r>`],
  ['field MACROBUTTON', macro(' MACROBUTTON NoMacro two words')],
  ['field MACROBUTTON', macro(' MACROBUTTON NoMacro [Name]', '<w:r><w:fldChar w:fldCharType="separate"/></w:r>')],
])('%s is left to LibreOffice', (reason, content) => {
  expect(() => blocksOf({ body: `<w:p>${content}</w:p>` })).toThrow(new UnknownFeature(reason));
});

test('empty elements of another program are skipped, others are left to LibreOffice', () => {
  const note = (content: string, namespace = 'urn:example:notes'): string =>
    `<note xmlns="${namespace}">${content}</note>`;
  expect(blocksOf({ body: `${note('')}<w:p>${note('')}</w:p>` })).toMatchObject([{ inlines: [] }]);
  const symbols = 'http://schemas.microsoft.com/office/word/2015/wordml/symex';
  for (const body of [note('text'), note('', symbols), `<w:p>${note('', symbols)}</w:p>`])
    expect(() => blocksOf({ body: body + paragraph('text') })).toThrow(UnknownFeature);
});

test('cells may be inside of a content control', () => {
  const control = table.replace(/<w:tc>.*<\/w:tc>/s, (cells) => `<w:sdt><w:sdtContent>${cells}</w:sdtContent></w:sdt>`);
  expect(tableOf({ ...tables, body: control + paragraph('below') }).rows[0]?.cells).toHaveLength(1);
});

test('rows may be inside of content controls', () => {
  const around = (rows: string): string => `<w:sdt><w:sdtContent>${rows}</w:sdtContent></w:sdt>`;
  const body = table.replace(/<w:tr>.*<\/w:tr>/s, (rows) => `${rows}${around(around(rows))}`);
  expect(tableOf({ ...tables, body: body + paragraph('below') }).rows).toHaveLength(2);
});

const control = (content: string, properties = '<w:tag w:val="name"/>'): string =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

test('content controls are read as their content', () => {
  const body = control(`<w:p>${control('<w:r><w:t>inside</w:t></w:r>', '<w:dropDownList/>')}</w:p>`, '<w:date/>');
  expect(blocksOf({ body })).toMatchObject([{ inlines: [{ kind: 'text', text: 'inside' }] }]);
  for (const [properties, reason] of [
    ['<w:dropDownList/>', 'w:dropDownList around paragraphs'],
    ['<w:unknown/>', 'w:unknown of a content control'],
  ] as const)
    expect(() => blocksOf({ body: control('<w:p/>', properties) })).toThrow(new UnknownFeature(reason));
});

test('a content control in one that shows data is left to LibreOffice', () => {
  const body = control(
    `<w:p>${control('<w:r><w:t>Ada</w:t></w:r>')}</w:p>`,
    '<w:dataBinding w:xpath="/a" w:storeItemID="{}"/>',
  );
  expect(() => blocksOf({ body })).toThrow(new UnknownFeature('a content control in one that shows data'));
});

test.each([
  ['the same data', '/o:order[1]/o:name[1]', '{ABC}', undefined],
  ['no data of its path', '/o:order[1]/o:none[1]', '{ABC}', undefined],
  ['no data at all', '/o:order[1]/o:name[1]', '{DEF}', undefined],
  ['other data', '/o:order[1]/o:place[1]', '{ABC}', 'a content control that shows other data'],
  ['data of elements', '/o:order[1]', '{ABC}', 'data with elements in a content control'],
  ['any other path', '//o:name', '{ABC}', 'the path of a content control'],
  [
    'the title of the document',
    '/o:title',
    '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}',
    'a content control that shows properties of the document',
  ],
])('a content control that shows %s is known, or left to LibreOffice', (_title, path, id, reason) => {
  const binding = `<w:dataBinding w:prefixMappings="xmlns:o='urn:order'" w:xpath="${path}" w:storeItemID="${id}"/><w:text/>`;
  const convert = (): DocumentTree =>
    readDocument(
      buildDocx({
        body: control(`<w:p><w:r><w:t>Ada</w:t></w:r></w:p>`, binding),
        parts: {
          'word/styles.xml': stylesXml(normal),
          'customXml/item1.xml': '<order xmlns="urn:order"><name>Ada</name><place>London</place></order>',
          'customXml/itemProps1.xml': '<p:datastoreItem p:itemID="{ABC}" xmlns:p="urn:p"/>',
        },
      }),
    );
  if (reason === undefined) expect(convert().sections[0]?.blocks.map(textOf)).toEqual(['Ada']);
  else expect(convert).toThrow(new UnknownFeature(reason));
});

test.each([
  ['A4', 11_900, 16_840, 11_906, 16_838],
  ['Letter', 12_250, 15_830, 12_240, 15_840],
  ['24 twips from A4', 11_930, 16_815, 11_906, 16_838],
  ['no usual paper', 11_870, 16_800, 11_870, 16_800],
])(
  'a page of nearly the size of a usual paper has its size: %s',
  (_title, width, height, expectedWidth, expectedHeight) => {
    const section = `<w:p><w:pPr><w:sectPr><w:pgSz w:w="${width}" w:h="${height}"/></w:sectPr></w:pPr></w:p>`;
    const [first] = read({ body: section + paragraph('next') }).sections;
    expect(first?.geometry).toMatchObject({ width: expectedWidth, height: expectedHeight });
  },
);

test('a document that hyphenates is known where no paragraph is divided', () => {
  const settings = `<w:settings xmlns:w="${word}"><w:autoHyphenation/></w:settings>`;
  const convert = (properties: string): DocumentTree =>
    readDocument(
      buildDocx({
        body: `<w:p><w:pPr>${properties}</w:pPr></w:p>`,
        parts: { 'word/styles.xml': stylesXml(normal), 'word/settings.xml': settings },
        rels: [{ id: 'settings', type: 'settings', target: 'settings.xml' }],
      }),
    );
  expect(formatsOf(convert('<w:suppressAutoHyphens/>').sections[0]?.blocks ?? [])).toHaveLength(1);
  expect(() => convert('')).toThrow(new UnknownFeature('a paragraph that may be hyphenated'));
});

const endOfSection =
  '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/></w:sectPr>';
const withFormat = (properties: string): string => `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>text</w:t></w:r></w:p>`;
const above = withFormat('<w:spacing w:after="100"/>');
const beginning = withFormat('<w:pageBreakBefore/><w:spacing w:before="300"/>');

test.each([
  ['none since Word 2013', mode(15), above + beginning, 0],
  ['what exceeds the space below the paragraph before', mode(14), above + beginning, 200],
  ['so without a version too', '', above + beginning, 200],
  ['all of it behind a table', mode(14), table + beginning, 300],
  ['all of it at the beginning of the document', mode(15), beginning, 300],
])('above a paragraph that begins a page is %s', (_title, compat, body, before) => {
  expect(formatsOf(blocksOf({ body, compat, styles: normal + tight + grid })).at(-1)).toMatchObject({ before });
});

test('a bare paragraph that ends a section is no part of it', () => {
  const bare = `<w:p><w:pPr><w:spacing w:after="7"/>${endOfSection}</w:pPr></w:p>`;
  const body = above + bare + withFormat('<w:spacing w:before="300"/>');
  const [first, second] = read({ body }).sections;
  expect(first?.blocks.map(textOf)).toEqual(['text']);
  expect(formatsOf(second?.blocks ?? [])).toMatchObject([{ before: 200 }]);
});

const broken = (content: string, style = ''): string =>
  `<w:p><w:pPr>${style}</w:pPr><w:r>${content}<w:br w:type="page"/><w:t>text</w:t></w:r></w:p>`;

test.each([
  ['a section that begins with a page break', broken('')],
  ['text behind a page break in a paragraph with a style', broken('<w:t>x</w:t>', '<w:pStyle w:val="Tight"/>')],
])('%s is left to LibreOffice', (reason, body) => {
  expect(() => blocksOf({ body, styles: normal + tight })).toThrow(new UnknownFeature(reason));
});

const level = (index: number, format: string, text: string): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="${(index + 1) * 400}" w:hanging="400"/></w:pPr></w:lvl>`;
const listOf = (levels: string, abstract = 1): string =>
  `<w:abstractNum w:abstractNumId="${abstract}">${levels}</w:abstractNum><w:num w:numId="${abstract}"><w:abstractNumId w:val="${abstract}"/></w:num>`;
const listItem = (at: number, properties = '', list = 1): string =>
  `<w:p><w:pPr>${properties}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr></w:p>`;

test('lists count their levels, and begin a level again below each paragraph of a higher one', () => {
  const numbering = listOf(
    level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%1.%2)') + level(2, 'upperRoman', '%3'),
  );
  const body = [0, 1, 1, 2, 2, 0, 1].map((at) => listItem(at)).join('');
  expect(blocksOf({ body, numbering }).map(textOf)).toEqual(['1.', '1.a)', '1.b)', 'I', 'II', '2.', '2.a)']);
});

test('letters of lists go on with two of them', () => {
  const body = Array.from({ length: 28 }, () => listItem(0)).join('');
  const labels = blocksOf({ body, numbering: listOf(level(0, 'upperLetter', '%1')) }).map(textOf);
  expect(labels.slice(24)).toEqual(['Y', 'Z', 'AA', 'BB']);
});

test('a level without a paragraph counts as one', () => {
  const numbering = listOf(
    level(0, 'decimal', '%1') + level(1, 'decimal', '%1.%2') + level(2, 'lowerLetter', '%1.%2%3'),
  );
  const body = [2, 1, 0, 2].map((at) => listItem(at)).join('');
  expect(blocksOf({ body, numbering }).map(textOf)).toEqual(['1.1a', '1.2', '2', '2.1a']);
});

const styleOf = (id: string, basedOn: string, numbering: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/><w:pPr><w:numPr>${numbering}</w:numPr></w:pPr></w:style>`;
const ofStyle = (numbering: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="Item"/>${numbering === '' ? '' : `<w:numPr>${numbering}</w:numPr>`}</w:pPr></w:p>`;
const twoLevels = listOf(level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%2)'));

test('a style with a level alone is in no list, and its paragraphs are at this level of theirs', () => {
  const styles = normal + styleOf('Item', 'Normal', '<w:ilvl w:val="1"/>');
  const body = ['', '<w:numId w:val="1"/>', '<w:ilvl w:val="0"/><w:numId w:val="1"/>'].map(ofStyle).join('');
  expect(blocksOf({ body, styles, numbering: twoLevels }).map(textOf)).toEqual(['', 'a)', '2.']);
});

test.each([
  ['another level of a list', '<w:numId w:val="1"/>', '', '<w:ilvl w:val="1"/>'],
  ['a style of a list based on another one', '<w:numId w:val="1"/>', '<w:numId w:val="1"/>', ''],
  ['a style of a list based on another one', '<w:ilvl w:val="1"/>', '<w:numId w:val="1"/>', ''],
])('%s is left to LibreOffice', (reason, base, own, ofParagraph) => {
  const styles = normal + styleOf('Base', 'Normal', base) + styleOf('Item', 'Base', own);
  expect(() => blocksOf({ body: ofStyle(ofParagraph), styles, numbering: twoLevels })).toThrow(
    new UnknownFeature(reason),
  );
});

const otherLevel = (content: string): string =>
  `<w:num w:numId="7"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">${content}</w:lvlOverride></w:num>`;

test('a list begins anew with its first paragraph where it says so', () => {
  const numbering = listOf(level(0, 'decimal', '%1.')) + otherLevel('<w:startOverride w:val="1"/>');
  const body = [1, 1, 7, 7, 1, 7].map((list) => listItem(0, '', list)).join('');
  expect(blocksOf({ body, numbering }).map(textOf)).toEqual(['1.', '2.', '1.', '2.', '3.', '4.']);
});

test('a list may replace a level of those that it counts with', () => {
  const numbering = listOf(level(0, 'decimal', '%1.')) + otherLevel(level(0, 'upperRoman', '%1)'));
  const body = [1, 7, 1].map((list) => listItem(0, '', list)).join('');
  expect(blocksOf({ body, numbering }).map(textOf)).toEqual(['1.', 'II)', '3.']);
  const part = otherLevel('<w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/></w:lvl>');
  expect(() => blocksOf({ body, numbering: listOf(level(0, 'decimal', '%1.')) + part })).toThrow(
    new UnknownFeature('a list with a part of another level'),
  );
});

test('a level that asks for digits shows the numbers of all levels in digits', () => {
  const legal = level(1, 'lowerLetter', '%1.%2').replace('<w:lvlText', '<w:isLgl/><w:lvlText');
  const numbering = listOf(level(0, 'upperRoman', '%1') + legal);
  expect(blocksOf({ body: listItem(0) + listItem(1), numbering }).map(textOf)).toEqual(['I', '1.1']);
});

test('the indent of a list is weaker than that of its paragraph', () => {
  const numbering = listOf(level(0, 'bullet', '–'));
  const body = listItem(0) + listItem(0, '<w:ind w:left="900"/>');
  expect(formatsOf(blocksOf({ body, numbering }))).toMatchObject([
    { left: 400, firstLine: -400 },
    { left: 900, firstLine: -400 },
  ]);
});

test.each([['numbers in words', listItem(0, '', 2), 'the numbers of a list']])(
  '%s is left to LibreOffice',
  (_title, body, reason) => {
    const numbering =
      listOf(level(0, 'decimal', '%1') + level(1, 'decimal', '%2')) + listOf(level(0, 'cardinalText', '%1'), 2);
    expect(() => blocksOf({ body, numbering })).toThrow(new UnknownFeature(reason));
  },
);

test.each([
  ['9E9E9E', '', 'FFFFFF'],
  ['9F9F9F', '', undefined],
  ['1F3864', '<w:color w:val="112233"/>', '112233'],
  ['1F3864', '<w:shd w:val="clear" w:fill="FFFFFF"/>', undefined],
])('on shading of %s with %s the colour of text is %s', (fill, properties, color) => {
  const body = `<w:p><w:pPr><w:shd w:val="clear" w:fill="${fill}"/></w:pPr><w:r><w:rPr>${properties}</w:rPr><w:t>text</w:t></w:r></w:p>`;
  const [block] = blocksOf({ body });
  expect(block?.kind === 'paragraph' && block.inlines[0]?.format.color).toBe(color);
});

const pageBreak = '<w:r><w:br w:type="page"/></w:r>';
const words = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const spaced = (content: string): string => `<w:p><w:pPr><w:spacing w:before="100"/></w:pPr>${content}</w:p>`;

test.each([
  ['inside of a paragraph', spaced(words('a') + pageBreak + words('b')), ['a', 'b']],
  ['at the beginning of one', spaced(words('a')) + spaced(pageBreak + words('b')), ['a', 'b']],
  ['at the end of one', spaced(words('a') + pageBreak) + spaced(words('b')), ['a', 'b']],
  ['in a paragraph of its own', spaced(words('a')) + spaced(pageBreak) + spaced(words('b')), ['a', '', 'b']],
])('behind a page break %s a page begins without space above', (_title, body, texts) => {
  const blocks = blocksOf({ body });
  expect(blocks.map(textOf)).toEqual(texts);
  expect(formatsOf(blocks).map(({ breaksPageBefore }) => breaksPageBefore)).toEqual(texts.map((text) => text === 'b'));
  expect(formatsOf(blocks).at(-1)).toMatchObject({ before: 0 });
});

test.each([
  ['page breaks side by side', spaced(pageBreak + pageBreak + words('b'))],
  ['a table behind a page break', spaced(pageBreak) + table],
  ['a page break at the end of a section', spaced(pageBreak)],
])('%s: left to LibreOffice', (reason, body) => {
  expect(() => blocksOf({ ...tables, body })).toThrow(new UnknownFeature(reason));
});

test('a text that does not keep its outer white space keeps spaces that do not break', () => {
  const [block] = blocksOf({ body: '<w:p><w:r><w:t> \u00a0: a\u00a0\n</w:t></w:r></w:p>' });
  expect(block && textOf(block)).toBe('\u00a0: a\u00a0');
});

const autoStyle =
  '<w:style w:type="paragraph" w:styleId="Web"><w:name w:val="Normal (Web)"/><w:pPr><w:spacing w:beforeAutospacing="1" w:afterAutospacing="1"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Sub"/><w:basedOn w:val="Web"/><w:pPr><w:spacing w:before="40" w:after="40"/></w:pPr></w:style>';
const automatic = (style: string, spacing = ''): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${spacing}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>`;
const autoSpaces = (body: string, option = ''): number[][] => {
  const read = blocksOf({ body, styles: normal + autoStyle, compat: option + mode(15) });
  return formatsOf(read).map(({ before, after }) => [before, after]);
};

test('automatic space is that of HTML unless the document has its own rules', () => {
  const body = automatic('Web') + automatic('Web');
  expect(autoSpaces(body)).toEqual([
    [0, 280],
    [280, 280],
  ]);
  expect(autoSpaces(body, '<w:doNotUseHTMLParagraphAutoSpacing/>')).toEqual([
    [100, 100],
    [100, 100],
  ]);
});

test('automatic space is stronger than that of a style and weaker than that of the paragraph', () => {
  const own = automatic('Web', '<w:spacing w:before="60" w:after="60" w:afterAutospacing="1"/>');
  expect(autoSpaces(automatic('Sub') + automatic('Sub') + own)).toEqual([
    [0, 280],
    [280, 280],
    [60, 280],
  ]);
});

test('a cell has no automatic space at its edges', () => {
  const cells = table.replace(/<w:p>.*<\/w:p>/, automatic('Web').repeat(3));
  const parts = {
    body: cells + paragraph('below'),
    styles: normal + grid.replace(/<w:pPr>.*<\/w:pPr>/, '') + autoStyle,
  };
  const inside = tableOf(parts).rows[0]?.cells[0]?.blocks ?? [];
  expect(formatsOf(inside).map(({ before, after }) => [before, after])).toEqual([
    [0, 280],
    [280, 280],
    [280, 0],
  ]);
});

test.each([
  ['turned off without other space', automatic('Web', '<w:spacing w:beforeAutospacing="0"/>'), /turned off/],
  [
    'at the beginning of a page',
    `${automatic('Web')}<w:p><w:pPr><w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>${automatic('Web')}`,
    /beginning of a page/,
  ],
  [
    'in a table whose style sets space',
    tables.body.replace(cell('Normal'), automatic('Web')),
    /in a table whose style/,
  ],
])('automatic space %s is left to LibreOffice', (_place, body, reason) => {
  expect(() => read({ body, styles: normal + tight + grid + autoStyle })).toThrow(reason);
});

test.each(['Missing', ''])('a missing style "%s" is that of text, but not in a table', (style) => {
  expect(formatsOf(blocksOf({ body: cell(style) }))).toHaveLength(1);
  expect(() => read({ ...tables, body: tables.body.replace(cell('Tight'), cell(style)) })).toThrow(
    new UnknownFeature('a missing style in a table'),
  );
});

test('a style that is based on a missing one is left to LibreOffice', () => {
  const styles = normal + tight.replace('<w:basedOn w:val="Normal"/>', '<w:basedOn w:val="Missing"/>');
  expect(() => read({ body: cell('Tight'), styles })).toThrow(new UnknownFeature('a style based on a missing one'));
  expect(read({ body: cell('Normal'), styles }).sections).toHaveLength(1);
});
