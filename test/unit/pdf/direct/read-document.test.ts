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

test('a border that takes space from the text of its cell is left to LibreOffice', () => {
  const narrow = table.replace('</w:tcPr>', '<w:tcMar><w:left w:w="10" w:type="dxa"/></w:tcMar></w:tcPr>');
  expect(() => tableOf({ ...tables, body: narrow + paragraph('below') })).toThrow(
    new UnknownFeature('a border wider than the margin of its cell'),
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

test.each([
  [
    'a table that is wider or narrower than its columns',
    table.replace('w:w="0" w:type="auto"', 'w:w="3996" w:type="dxa"'),
  ],
  ['w:tblW w:w="5050"', table.replace('w:w="0" w:type="auto"', 'w:w="5050" w:type="pct"')],
  [
    'a wide border of an odd number of twips',
    table.replace('<w:tcPr>', '<w:tcPr><w:tcBorders><w:top w:val="single" w:sz="18"/></w:tcBorders>'),
  ],
])('%s is left to LibreOffice', (reason, body) => {
  expect(() => tableOf({ ...tables, body: body + paragraph('below') })).toThrow(new UnknownFeature(reason));
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

test('content controls are read as their content', () => {
  const control = (content: string, properties = '<w:tag w:val="name"/>'): string =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
  const body = control(`<w:p>${control('<w:r><w:t>inside</w:t></w:r>')}</w:p>`);
  expect(blocksOf({ body })).toMatchObject([{ inlines: [{ kind: 'text', text: 'inside' }] }]);
  expect(() => blocksOf({ body: control('<w:p/>', '<w:date/>') })).toThrow(
    new UnknownFeature('w:date of a content control'),
  );
});

test.each([
  ['A4', 11_900, 16_840, 11_906, 16_838],
  ['Letter', 12_250, 15_830, 12_240, 15_840],
  ['no usual paper', 11_880, 16_800, 11_880, 16_800],
])(
  'a page of nearly the size of a usual paper has its size: %s',
  (_title, width, height, expectedWidth, expectedHeight) => {
    const section = `<w:p><w:pPr><w:sectPr><w:pgSz w:w="${width}" w:h="${height}"/></w:sectPr></w:pPr></w:p>`;
    const [first] = read({ body: section + paragraph('next') }).sections;
    expect(first?.geometry).toMatchObject({ width: expectedWidth, height: expectedHeight });
  },
);

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

test('the indent of a list is weaker than that of its paragraph', () => {
  const numbering = listOf(level(0, 'bullet', '–'));
  const body = listItem(0) + listItem(0, '<w:ind w:left="900"/>');
  expect(formatsOf(blocksOf({ body, numbering }))).toMatchObject([
    { left: 400, firstLine: -400 },
    { left: 900, firstLine: -400 },
  ]);
});

test.each([
  ['a list whose first paragraph is not of its first level', listItem(1), 'a list that begins below its first level'],
  ['numbers in words', listItem(0, '', 2), 'the numbers of a list'],
])('%s is left to LibreOffice', (_title, body, reason) => {
  const numbering =
    listOf(level(0, 'decimal', '%1') + level(1, 'decimal', '%2')) + listOf(level(0, 'cardinalText', '%1'), 2);
  expect(() => blocksOf({ body, numbering })).toThrow(new UnknownFeature(reason));
});

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
  ['inside of a paragraph', spaced(words('a') + pageBreak + words('b')), ['a', 'b'], 0],
  ['at the beginning of one', spaced(words('a')) + spaced(pageBreak + words('b')), ['a', 'b'], 100],
  ['at the end of one', spaced(words('a') + pageBreak) + spaced(words('b')), ['a', 'b'], 0],
  ['in a paragraph of its own', spaced(words('a')) + spaced(pageBreak) + spaced(words('b')), ['a', '', 'b'], 0],
])(
  'behind a page break %s a page begins, with the space above only if the break begins a paragraph',
  (_title, body, texts, before) => {
    const blocks = blocksOf({ body });
    expect(blocks.map(textOf)).toEqual(texts);
    expect(formatsOf(blocks).map(({ breaksPageBefore }) => breaksPageBefore)).toEqual(
      texts.map((text) => text === 'b'),
    );
    expect(formatsOf(blocks).at(-1)).toMatchObject({ before });
  },
);

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
