import { expect, test } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx } from '../../../../test/support/documents/docx-builder.ts';
import * as word from '../../../../test/support/documents/word-xml.ts';
import { readDocument } from '../../src/document/read-document.ts';
import { type Block, type DocumentTree, type Paragraph, tableParts } from '../../src/document/tree.ts';
import { UnknownFeature } from '../../src/unknown-feature.ts';

const { paragraph, run } = word;
const strictWord = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const normal = word.normal();
const tight = word.style('Tight', { basedOn: 'Normal', paragraph: '<w:spacing w:after="40"/>' });
const grid = word.style('Grid', {
  type: 'table',
  paragraph: '<w:spacing w:after="0" w:line="240"/>',
  more: '<w:tblPr><w:tblBorders><w:left w:val="single" w:sz="8"/></w:tblBorders></w:tblPr>',
});
const ofStyle = (style: string): string => paragraph('x', `<w:pStyle w:val="${style}"/>`);
const table = word.table(
  [4000],
  [word.row([word.cell(4000, ofStyle('Normal') + ofStyle('Tight'))])],
  `<w:tblStyle w:val="Grid"/>${word.autoWidth}`,
);
const below = paragraph('below');
/** A table of one row whose cells have an empty paragraph. */
const tableOfWidths = (widths: readonly number[], width: string): string =>
  word.table(widths, [word.row(widths.map((one) => word.cell(one, '<w:p/>')))], width) + below;

interface Parts {
  readonly body: string;
  readonly numbering?: string;
  readonly styles?: string;
  /** The version of Word; 15 unless it is null. */
  readonly version?: number | null;
  readonly options?: string;
  readonly files?: Readonly<Record<string, string>>;
}

function read(parts: Parts, rewrite = (xml: string): string => xml): DocumentTree {
  const { body, styles = normal, version = 15, options = '', numbering = '', files } = parts;
  const document = word.document(body, {
    styles: rewrite(word.styles({ paragraph: '<w:spacing w:after="200" w:line="276"/>' }, styles)),
    settings: word.compatibility(version ?? undefined, options),
    numbering,
  });
  return readDocument(openPackage(buildDocx({ ...document, parts: { ...document.parts, ...files } })));
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

const tables = { body: table + below, styles: normal + tight + grid };

test('a table style changes paragraphs whose own styles leave it to the defaults of the document', () => {
  const [untouched, tightened] = formatsOf(tableOf(tables).rows[0]?.cells[0]?.blocks ?? []);
  expect(untouched).toMatchObject({ after: 0, line: 240 });
  expect(tightened).toMatchObject({ after: 40, line: 240 });
  expect(formatsOf(blocksOf(tables))).toMatchObject([{ after: 200, line: 276 }]);
});

test.each([
  ['begins at the margin with the text of its cells for Word 2010', 14, -108],
  ['begins at the margin with its border since Word 2013', 15, 10],
  ['begins there without a version too', null, 10],
])('a table %s', (_title, version, left) => {
  expect(tableOf({ ...tables, version }).left).toBe(left);
});

test.each([
  ['are one where their formats are', ['', '', '<w:noProof/>'], ['one two three ']],
  ['with other properties are apart', ['', '<w:lang w:val="de-DE"/>', ''], ['one ', 'two ', 'three ']],
])('runs side by side %s', (_title, properties, texts) => {
  const runs = ['one ', 'two ', 'three '].map((text, index) => run(text, properties[index]));
  const inlines = texts.map((text) => ({ kind: 'text', text, isApart: true }));
  expect(blocksOf({ body: paragraph(runs.join('<w:proofErr w:type="spellStart"/>')) })).toMatchObject([{ inlines }]);
});

test('runs with a bookmark between them may be one or not', () => {
  const body = paragraph(`${run('word')}<w:bookmarkStart w:id="1" w:name="a"/>${run('word')}<w:bookmarkEnd w:id="1"/>`);
  expect(blocksOf({ body })).toMatchObject([{ inlines: [{ isApart: true }, { isApart: false }] }]);
});

const withMargins = (margin: number, borders: string): string =>
  table
    .replace('<w:tblW', `<w:tblCellMar><w:left w:w="${margin}"/><w:right w:w="${margin}"/></w:tblCellMar><w:tblW`)
    .replace('<w:tcPr>', `<w:tcPr><w:tcBorders>${borders}</w:tcBorders>`) + below;
const wideLeft = '<w:left w:val="single" w:sz="24"/>';

test('the margins of cells grow for half of the borders of the first cell', () => {
  const body = withMargins(10, `${wideLeft}<w:right w:val="single" w:sz="16"/>`);
  const { left, rows } = tableOf({ ...tables, body });
  expect(left).toBe(30);
  expect(rows[0]?.cells[0]).toMatchObject({ marginLeft: 30, marginRight: 20 });
});

const mergedTable = (merges: readonly (readonly string[])[]): string => {
  const one = (merge: string): string => word.cell(2000, '<w:p/>', merge === '' ? '' : `<w:vMerge w:val="${merge}"/>`);
  return (
    word.table(
      [2000, 2000],
      merges.map((row) => word.row(row.map(one))),
    ) + below
  );
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

const withGaps = (properties: string, first: string): string => {
  const row = word.row([word.cell(2000, first)], '<w:gridBefore w:val="1"/><w:gridAfter w:val="1"/>');
  const borders = `<w:tblBorders>${word.borders(word.allSides, 8)}</w:tblBorders>`;
  return word.table([2000, 2000, 2000], [row], word.width(6000) + properties + borders) + below;
};

test('columns that a row leaves out are empty cells without borders', () => {
  const [row] = tableOf({ body: withGaps('', paragraph('x', '<w:spacing w:after="70"/>')) }).rows;
  const none = { top: undefined, bottom: undefined, left: undefined, right: undefined };
  expect(row?.cells).toMatchObject([
    { borders: none, blocks: [{ inlines: [], format: { after: 70 } }] },
    { borders: { left: { width: 20 }, right: { width: 20 } } },
    { borders: none, blocks: [{ inlines: [], format: { after: 200 } }] },
  ]);
});

test('columns end at ten-thousandths of the width of their table, in whole twips', () => {
  const { rows } = tableOf({ body: tableOfWidths([737, 3685, 964, 964, 1474, 1587], word.width(9411)) });
  const ends = rows[0]?.cells.map(({ end }) => Math.floor((end * 9411) / tableParts));
  // As measured in LibreOffice 25.2.
  expect(ends).toEqual([736, 4422, 5385, 6349, 7824, 9411]);
});

// As measured in LibreOffice 25.2: a table is as wide as the next hundredth of a millimetre above the sum of its
// columns.
test.each([
  ['in twips, as the columns rounded', 4000, word.width(4003), { amount: 4000, unit: 'twips' }],
  ['in fiftieths of a percent', 4000, '<w:tblW w:w="3333" w:type="pct"/>', { amount: 66, unit: 'percent' }],
  ['of its columns', 1600, word.autoWidth, { amount: 1600, unit: 'twips' }],
  ['of its columns', 1605, word.autoWidth, { amount: 1606, unit: 'twips' }],
  ['of its columns', 1626, word.autoWidth, { amount: 1627, unit: 'twips' }],
  ['of its columns', 7200, word.autoWidth, { amount: 7200, unit: 'twips' }],
])('a table has a width %s: a column of %i twips', (_title, column, width, expected) => {
  const body = word.table([column], [word.row([word.cell(9, '<w:p/>')])], width) + below;
  expect(tableOf({ body }).width).toEqual(expected);
});

test.each([
  [[2000, 2000], 0],
  [[1001, 1003], 2],
  [[3008, 3009, 3009], 2],
  [[2000, 2000, 2000], 2],
  [[2256, 2256, 2257, 2257], 2],
  [[2750, 1291, 2206], 0],
])('columns of %j twips may end %i twips away from their positions', (widths, expected) => {
  const { rows } = tableOf({ body: tableOfWidths(widths, word.autoWidth) });
  expect(rows[0]?.cells.map(({ widthSlack }) => widthSlack)).toEqual(widths.map(() => expected));
});

const withExceptions = (exceptions: string): string =>
  table.replace('<w:tr>', `<w:tr><w:tblPrEx>${exceptions}</w:tblPrEx>`) + below;

test('a row with borders of its own has them on all sides, and nothing else of its exceptions', () => {
  const borders = `<w:tblBorders>${word.borders(word.allSides, 12, '1F5B45')}</w:tblBorders>`;
  const exceptions = `${borders}<w:tblCellMar><w:left w:w="9" w:type="dxa"/></w:tblCellMar>`;
  const [plain] = tableOf(tables).rows;
  const [own] = tableOf({ ...tables, body: withExceptions(exceptions) }).rows;
  const expected = { width: 30, color: '1F5B45' };
  expect(own?.cells[0]?.borders).toMatchObject({ top: expected, bottom: expected, left: expected, right: expected });
  expect(own?.cells[0]?.marginRight).toBe(plain?.cells[0]?.marginRight);
});

test('a tab is filled with the character of its leader, a heavy line as a thin one', () => {
  const stops = ['none', 'dot', 'hyphen', 'underscore', 'heavy', 'middleDot'].map(
    (leader, index) => `<w:tab w:val="left" w:leader="${leader}" w:pos="${index}"/>`,
  );
  const [format] = formatsOf(blocksOf({ body: paragraph('', `<w:tabs>${stops.join('')}</w:tabs>`) }));
  expect(format?.tabs.map(({ leader }) => leader)).toEqual(['', '.', '-', '_', '_', '·']);
});

test('without a default style, the one named Normal is taken', () => {
  const styles = word.style('a', { name: 'Normal', paragraph: word.aligned('center') });
  expect(formatsOf(blocksOf({ body: paragraph('text'), styles }))).toMatchObject([{ alignment: 'center' }]);
});

test('the strict form of the standard is read in the same way', () => {
  const made = read({ body: ofStyle('Tight'), styles: normal + tight }, (xml) =>
    xml.replace(word.namespace, strictWord),
  );
  expect(formatsOf(made.sections[0]?.blocks ?? [])).toMatchObject([{ after: 40 }]);
});

const fieldMark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
const macro = (code: string, result = ''): string =>
  `${fieldMark('begin')}${run(`<w:instrText xml:space="preserve"> MACROBUTTON NoMacro ${code}</w:instrText>`)}${result}${fieldMark('end')}`;
const note = (content: string, namespace = 'urn:example:notes'): string =>
  `<note xmlns="${namespace}">${content}</note>`;
const symbols = note('', 'http://schemas.microsoft.com/office/word/2015/wordml/symex');

test.each([
  ['a macro button alone in its paragraph is its label', paragraph(macro('[Name]')), '[Name]'],
  ['empty elements of another program are skipped', `${note('')}<w:p>${note('')}</w:p>`, ''],
  [
    'content controls are read as their content',
    word.control(paragraph(word.control(run('inside'), '<w:dropDownList/>')), '<w:date/>'),
    'inside',
  ],
  [
    'a text that does not keep its outer white space keeps spaces that do not break',
    paragraph(run('<w:t> \u00a0: a\u00a0\n</w:t>')),
    '\u00a0: a\u00a0',
  ],
])('%s', (_title, body, text) => {
  expect(blocksOf({ body }).map(textOf)).toEqual([text]);
});

test('rows and cells may be inside of content controls', () => {
  const cells = table.replace(/<w:tc>.*<\/w:tc>/s, (all) => word.control(all));
  const rows = cells.replace(/<w:tr>.*<\/w:tr>/s, (all) => all + word.control(word.control(all)));
  const read = tableOf({ ...tables, body: rows + below }).rows;
  expect(read.map((row) => row.cells.length)).toEqual([1, 1]);
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
  const files = {
    'customXml/item1.xml': '<order xmlns="urn:order"><name>Ada</name><place>London</place></order>',
    'customXml/itemProps1.xml': '<p:datastoreItem p:itemID="{ABC}" xmlns:p="urn:p"/>',
  };
  const convert = () => blocksOf({ body: word.control(paragraph('Ada'), binding), files });
  if (reason === undefined) expect(convert().map(textOf)).toEqual(['Ada']);
  else expect(convert).toThrow(new UnknownFeature(reason));
});

test.each([
  ['A4', 11_900, 16_840, 11_906, 16_838],
  ['Letter', 12_250, 15_830, 12_240, 15_840],
  ['24 twips from A4', 11_930, 16_815, 11_906, 16_838],
  ['no usual paper', 11_870, 16_800, 11_870, 16_800],
])('a page of nearly the size of a usual paper has its size: %s', (_title, width, height, ...expected) => {
  const section = paragraph('', `<w:sectPr><w:pgSz w:w="${width}" w:h="${height}"/></w:sectPr>`);
  const [first] = read({ body: section + paragraph('next') }).sections;
  expect([first?.geometry.width, first?.geometry.height]).toEqual(expected);
});

const hyphenated = (properties: string): Parts => ({
  body: paragraph('', properties),
  files: { 'word/settings.xml': `<w:settings xmlns:w="${word.namespace}"><w:autoHyphenation/></w:settings>` },
});

test('a document with hyphenation is laid out if no paragraph is hyphenated', () => {
  expect(blocksOf(hyphenated('<w:suppressAutoHyphens/>'))).toHaveLength(1);
});

const above = paragraph('text', '<w:spacing w:after="100"/>');
const beginning = paragraph('text', '<w:pageBreakBefore/><w:spacing w:before="300"/>');

test.each([
  ['none since Word 2013', 15, above + beginning, 0],
  ['what exceeds the space below the paragraph before', 14, above + beginning, 200],
  ['the same without a version', null, above + beginning, 200],
  ['all of it after a table', 14, table + beginning, 300],
  ['all of it at the beginning of the document', 15, beginning, 300],
])('space above a paragraph that begins a page: %s', (_title, version, body, before) => {
  expect(formatsOf(blocksOf({ body, version, styles: normal + tight + grid })).at(-1)).toMatchObject({ before });
});

test('a bare paragraph that ends a section does not belong to it', () => {
  const endOfSection =
    '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/></w:sectPr>';
  const bare = paragraph('', `<w:spacing w:after="7"/>${endOfSection}`);
  const [first, second] = read({ body: above + bare + paragraph('text', '<w:spacing w:before="300"/>') }).sections;
  expect(first?.blocks.map(textOf)).toEqual(['text']);
  expect(formatsOf(second?.blocks ?? [])).toMatchObject([{ before: 200 }]);
});

const level = (index: number, format: string, text: string): string => word.level(index, format, text, 400);
const listItem = (at: number, properties = '', list = 1): string => paragraph('', properties + word.item(at, list));
const legal = level(1, 'lowerLetter', '%1.%2').replace('<w:lvlText', '<w:isLgl/><w:lvlText');
const otherLevel = (content: string): string =>
  `<w:num w:numId="7"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">${content}</w:lvlOverride></w:num>`;
const decimals = word.lists([level(0, 'decimal', '%1.')]);
const items = (...levels: readonly number[]): string => levels.map((at) => listItem(at)).join('');
const itemsOf = (...lists: readonly number[]): string => lists.map((list) => listItem(0, '', list)).join('');

test.each([
  [
    'lists count their levels, and begin a level again below each paragraph of a higher one',
    word.lists([level(0, 'decimal', '%1.'), level(1, 'lowerLetter', '%1.%2)'), level(2, 'upperRoman', '%3')]),
    items(0, 1, 1, 2, 2, 0, 1),
    ['1.', '1.a)', '1.b)', 'I', 'II', '2.', '2.a)'],
  ],
  [
    'letters of lists continue with double letters',
    word.lists([level(0, 'upperLetter', '%1')]),
    listItem(0).repeat(28),
    [...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ'), 'AA', 'BB'],
  ],
  [
    'a level without a paragraph counts as one',
    word.lists([level(0, 'decimal', '%1'), level(1, 'decimal', '%1.%2'), level(2, 'lowerLetter', '%1.%2%3')]),
    items(2, 1, 0, 2),
    ['1.1a', '1.2', '2', '2.1a'],
  ],
  [
    'a list begins anew with its first paragraph where it says so',
    decimals + otherLevel('<w:startOverride w:val="1"/>'),
    itemsOf(1, 1, 7, 7, 1, 7),
    ['1.', '2.', '1.', '2.', '3.', '4.'],
  ],
  [
    'a list may replace a level of those that it counts with',
    decimals + otherLevel(level(0, 'upperRoman', '%1)')),
    itemsOf(1, 7, 1),
    ['1.', 'II)', '3.'],
  ],
  [
    'a level that asks for digits shows the numbers of all levels in digits',
    word.lists([level(0, 'upperRoman', '%1'), legal]),
    items(0, 1),
    ['I', '1.1'],
  ],
])('%s', (_title, numbering, body, labels) => {
  expect(blocksOf({ body, numbering }).map(textOf)).toEqual(labels);
});

test('the indent of a list is weaker than that of its paragraph', () => {
  const body = listItem(0) + listItem(0, '<w:ind w:left="900"/>');
  expect(formatsOf(blocksOf({ body, numbering: word.lists([level(0, 'bullet', '–')]) }))).toMatchObject([
    { left: 400, firstLine: -400 },
    { left: 900, firstLine: -400 },
  ]);
});

const listStyle = (id: string, basedOn: string, numbering: string): string =>
  word.style(id, { basedOn, paragraph: `<w:numPr>${numbering}</w:numPr>` });
const itemOfStyle = (numbering: string): string =>
  paragraph('', `<w:pStyle w:val="Item"/>${numbering === '' ? '' : `<w:numPr>${numbering}</w:numPr>`}`);
const twoLevels = word.lists([level(0, 'decimal', '%1.'), level(1, 'lowerLetter', '%2)')]);

test('a style with a level alone is in no list, and its paragraphs are at this level of theirs', () => {
  const styles = normal + listStyle('Item', 'Normal', '<w:ilvl w:val="1"/>');
  const body = ['', '<w:numId w:val="1"/>', '<w:ilvl w:val="0"/><w:numId w:val="1"/>'].map(itemOfStyle).join('');
  expect(blocksOf({ body, styles, numbering: twoLevels }).map(textOf)).toEqual(['', 'a)', '2.']);
});

test.each([
  ['9E9E9E', '', 'FFFFFF'],
  ['9F9F9F', '', undefined],
  ['1F3864', '<w:color w:val="112233"/>', '112233'],
  ['1F3864', word.shaded('FFFFFF'), undefined],
])('text on the shading %s with %s has the colour %s', (fill, properties, color) => {
  const [block] = blocksOf({ body: paragraph(run('text', properties), word.shaded(fill)) });
  expect(block?.kind === 'paragraph' && block.inlines[0]?.format.color).toBe(color);
});

const { pageBreak } = word;
const spaced = (content: string): string => paragraph(content, '<w:spacing w:before="100"/>');

test.each([
  ['inside a paragraph', spaced(run('a') + pageBreak + run('b')), ['a', 'b']],
  ['at the beginning of one', spaced('a') + spaced(pageBreak + run('b')), ['a', 'b']],
  ['at the end of one', spaced(run('a') + pageBreak) + spaced('b'), ['a', 'b']],
  ['in a paragraph of its own', spaced('a') + spaced(pageBreak) + spaced('b'), ['a', '', 'b']],
])('a page after a page break %s begins without space above', (_title, body, texts) => {
  const blocks = blocksOf({ body });
  expect(blocks.map(textOf)).toEqual(texts);
  expect(formatsOf(blocks).map(({ breaksPageBefore }) => breaksPageBefore)).toEqual(texts.map((text) => text === 'b'));
  expect(formatsOf(blocks).at(-1)).toMatchObject({ before: 0 });
});

const autoStyles =
  word.style('Web', {
    name: 'Normal (Web)',
    paragraph: '<w:spacing w:beforeAutospacing="1" w:afterAutospacing="1"/>',
  }) + word.style('Sub', { basedOn: 'Web', paragraph: '<w:spacing w:before="40" w:after="40"/>' });
const automatic = (style: string, spacing = ''): string => paragraph('x', `<w:pStyle w:val="${style}"/>${spacing}`);
const spacesOf = (blocks: readonly Block[]): number[][] =>
  formatsOf(blocks).map(({ before, after }) => [before, after]);
const autoSpaces = (body: string, options = ''): number[][] =>
  spacesOf(blocksOf({ body, styles: normal + autoStyles, options }));

test('automatic space is that of HTML unless the document has its own rules', () => {
  const body = automatic('Web') + automatic('Web');
  const [first, later, own] = [
    [0, 280],
    [280, 280],
    [100, 100],
  ];
  expect(autoSpaces(body)).toEqual([first, later]);
  expect(autoSpaces(body, '<w:doNotUseHTMLParagraphAutoSpacing/>')).toEqual([own, own]);
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
  const body = table.replace(/<w:p>.*<\/w:p>/, automatic('Web').repeat(3)) + below;
  const styles = normal + grid.replace(/<w:pPr>.*<\/w:pPr>/, '') + autoStyles;
  expect(spacesOf(tableOf({ body, styles }).rows[0]?.cells[0]?.blocks ?? [])).toEqual([
    [0, 280],
    [280, 280],
    [280, 0],
  ]);
});

test('a missing style counts as the default one', () => {
  for (const style of ['Missing', '']) expect(blocksOf({ body: ofStyle(style) })).toHaveLength(1);
});

const basedOnMissing = normal + tight.replace('"Normal"', '"Missing"');

test('an unused style that is based on a missing one is accepted', () => {
  expect(blocksOf({ body: ofStyle('Normal'), styles: basedOnMissing })).toHaveLength(1);
});

test('the largest margin above counts for all cells of a row', () => {
  const margin = '<w:tcMar><w:top w:w="120" w:type="dxa"/></w:tcMar>';
  const body = word.table([2000, 2000], [word.row([word.cell(2000, 'a'), word.cell(2000, 'b', margin)])]) + below;
  expect(tableOf({ body }).rows[0]?.cells.map(({ marginTop }) => marginTop)).toEqual([120, 120]);
});

test('runs are one portion if they differ only in a hint for fonts', () => {
  const hinted = (attributes: string): string => paragraph(run('a') + run('b', `<w:rFonts ${attributes}/>`));
  const [alike, other] = blocksOf({ body: hinted('w:hint="eastAsia"') + hinted('w:cs="Arial"') });
  expect([alike, other].map((block) => block?.kind === 'paragraph' && block.inlines.length)).toEqual([1, 2]);
});

test('decimal tabs align at the decimal symbol', () => {
  const tabbed = paragraph('1,5', '<w:tabs><w:tab w:val="decimal" w:pos="2000"/></w:tabs>');
  const withSymbol = (symbol: string): Parts => ({
    body: tabbed,
    files: {
      'word/settings.xml': `<w:settings xmlns:w="${word.namespace}"><w:decimalSymbol w:val="${symbol}"/></w:settings>`,
    },
  });
  expect(['.', ','].map((symbol) => read(withSymbol(symbol)).decimalPoint)).toEqual(['.', ',']);
});

const linked = (content: string): Parts => ({
  body: `<w:p><w:hyperlink r:id="rIdLink">${content}</w:hyperlink></w:p>`,
  files: {
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rIdLink" Type="${office}/hyperlink" Target="https://example.com" TargetMode="External"/><Relationship Id="rIdStyles" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  },
});

const gaps = 'rows without columns in a table of several formats';
const missing = (style: string): Parts => ({ ...tables, body: tables.body.replace(ofStyle('Tight'), ofStyle(style)) });
const inStyles = (base: string, own: string, ofParagraph: string): Parts => ({
  body: itemOfStyle(ofParagraph),
  styles: normal + listStyle('Base', 'Normal', base) + listStyle('Item', 'Base', own),
  numbering: twoLevels,
});
const listOne = '<w:numId w:val="1"/>';
const allStyles = normal + tight + grid + autoStyles;

test.each<[string, Parts]>([
  ['a border wider than the margin of its cell', { ...tables, body: withMargins(10, wideLeft) }],
  ['a merged cell without a beginning', { body: mergedTable([['continue', '']]) }],
  [gaps, { styles: normal + grid, body: withGaps('<w:tblStyle w:val="Grid"/>', '<w:p/>') }],
  [gaps, { body: withGaps('', paragraph('', '<w:keepNext/>')) }],
  [
    'a table that is wider or narrower than its columns',
    { ...tables, body: table.replace('w:w="0" w:type="auto"', 'w:w="3996" w:type="dxa"') + below },
  ],
  [
    'a row with other borders on some sides',
    { ...tables, body: withExceptions(`<w:tblBorders>${word.border('top', 4)}</w:tblBorders>`) },
  ],
  ['w:tblCellSpacing of a row', { ...tables, body: withExceptions('<w:tblCellSpacing w:w="10"/>') }],
  ['w:tblW w:w="5050"', { ...tables, body: table.replace('w:w="0" w:type="auto"', 'w:w="5050" w:type="pct"') + below }],
  ['a document without a default style', { body: paragraph('text'), styles: tight }],
  ['a missing style that LibreOffice has', { body: ofStyle('Title') }],
  ['a missing style that LibreOffice has', { body: ofStyle('Heading 1') }],
  [
    'text formats of the default table style',
    { ...tables, styles: tables.styles.replace('w:styleId="Grid"', 'w:default="1" $&') },
  ],
  ['a link in several formats', linked(run('a') + run('b', '<w:i/>'))],
  ['a tab in a link', linked(run('a') + word.tab)],
  ['a link in a content control', { body: word.control(linked(run('a')).body) }],
  ['a macro button in a link', linked(macro('[Name]'))],
  ['a macro button in text', { body: paragraph(macro('[Name]') + run('text')) }],
  ['field MACROBUTTON', { body: paragraph(macro('two words')) }],
  ['field MACROBUTTON', { body: paragraph(macro('[Name]', fieldMark('separate'))) }],
  ['{urn:example:notes}:note', { body: note('text') + below }],
  ['{http://schemas.microsoft.com/office/word/2015/wordml/symex}:note', { body: symbols + below }],
  ['{http://schemas.microsoft.com/office/word/2015/wordml/symex}:note', { body: `<w:p>${symbols}</w:p>` }],
  ['w:dropDownList around paragraphs', { body: word.control('<w:p/>', '<w:dropDownList/>') }],
  ['w:unknown of a content control', { body: word.control('<w:p/>', '<w:unknown/>') }],
  [
    'a content control in one that shows data',
    {
      body: word.control(paragraph(word.control(run('Ada'))), '<w:dataBinding w:xpath="/a" w:storeItemID="{}"/>'),
    },
  ],
  ['a paragraph that may be hyphenated', hyphenated('')],
  ['a section that begins with a page break', { body: paragraph(pageBreak + run('text')) }],
  [
    'text after a page break in a paragraph with a style',
    { body: paragraph(run('x') + pageBreak + run('text'), '<w:pStyle w:val="Tight"/>'), styles: normal + tight },
  ],
  ['page breaks side by side', { body: spaced(pageBreak + pageBreak + run('b')) }],
  ['a table after a page break', { ...tables, body: spaced(pageBreak) + table }],
  ['a page break at the end of a section', { body: spaced(pageBreak) }],
  ['another level of a list', inStyles(listOne, '', '<w:ilvl w:val="1"/>')],
  ['a style of a list based on another one', inStyles(listOne, listOne, '')],
  ['a style of a list based on another one', inStyles('<w:ilvl w:val="1"/>', listOne, '')],
  [
    'a list with a part of another level',
    {
      body: itemsOf(1, 7, 1),
      numbering: decimals + otherLevel('<w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/></w:lvl>'),
    },
  ],
  [
    'a label left of the margin',
    { body: paragraph('x', `${word.item(0)}<w:ind w:left="500" w:hanging="900"/>`), numbering: twoLevels },
  ],
  ['the numbers of a list', { body: listItem(0), numbering: word.lists([level(0, 'cardinalText', '%1')]) }],
  ['a missing style in a table', missing('Missing')],
  ['a missing style in a table', missing('')],
  ['a style based on a missing one', { body: ofStyle('Tight'), styles: basedOnMissing }],
  [
    'w:beforeAutospacing turned off',
    { body: automatic('Web', '<w:spacing w:beforeAutospacing="0"/>'), styles: allStyles },
  ],
  [
    'automatic space at the beginning of a page',
    {
      body: `${automatic('Web')}${paragraph('x', '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>')}${automatic('Web')}`,
      styles: allStyles,
    },
  ],
  [
    'automatic space in a table whose style sets space',
    { body: tables.body.replace(ofStyle('Normal'), automatic('Web')), styles: allStyles },
  ],
])('%s: left to LibreOffice', (reason, parts) => {
  expect(() => read(parts)).toThrow(new UnknownFeature(reason));
});
