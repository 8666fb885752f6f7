import { expect, test } from 'vitest';
import { readDocument } from '../../../../src/worker/pdf/direct/document/read-document.ts';
import type { Block, DocumentTree, Paragraph } from '../../../../src/worker/pdf/direct/document/tree.ts';
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
  readonly styles?: string;
  readonly compat?: string;
}

function read(
  { body, styles = normal, compat = mode(15) }: Parts,
  rewrite = (xml: string): string => xml,
): DocumentTree {
  const parts = {
    'word/styles.xml': rewrite(stylesXml(styles)),
    'word/settings.xml': settingsXml(compat),
  };
  const rels = [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }];
  return readDocument(buildDocx({ body, parts, rels }));
}

const blocksOf = (parts: Parts): readonly Block[] => read(parts).sections[0]?.blocks ?? [];
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
