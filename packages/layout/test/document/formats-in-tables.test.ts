import { expect, test } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx } from '../../../../test/support/documents/docx-builder.ts';
import * as word from '../../../../test/support/documents/word-xml.ts';
import { readDocument } from '../../src/document/read-document.ts';
import type { Paragraph } from '../../src/document/tree.ts';
import { UnknownFeature } from '../../src/unknown-feature.ts';

/** The first paragraph of each row of a table with one column. */
function rowsOf(rows: readonly string[], properties: string, styles: string, options = ''): readonly Paragraph[] {
  const body = word.table([4000], rows, `${properties}${word.autoWidth}`) + word.paragraph('below');
  const settings = `<w:compat>${options}</w:compat>`;
  const [table] =
    readDocument(openPackage(buildDocx(word.document(body, { styles, settings })))).sections[0]?.blocks ?? [];
  if (table?.kind !== 'table') throw new Error('no table');
  return table.rows.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks.slice(0, 1) as Paragraph[]));
}

const row = (properties = ''): string => word.row([word.cell(4000, 'text')], properties);
const ofStyle = '<w:tblStyle w:val="Grid"/>';
const area = (type: string, run: string): string =>
  `<w:tblStylePr w:type="${type}"><w:rPr>${run}</w:rPr></w:tblStylePr>`;
const tableStyle = (more: string, paragraph = '', run = ''): string =>
  word.style('Grid', { type: 'table', paragraph, run, more });

const firstAndBands = word.styles(
  {},
  word.normal(),
  tableStyle(area('firstRow', '<w:b/>') + area('band1Horz', '<w:i/>')),
);
const heading = '<w:tblHeader/>';

// Bold for the format of a first row, italic for that of a band.
test.each([
  ['the rows that are headings', [heading, heading, '', ''], 'w:val="0420"', ['b', 'b', '', 'i']],
  ['not the last row of the table', [heading, heading], 'w:val="0420"', ['b', 'i']],
  ['headings behind other rows', ['', '', heading, ''], 'w:val="0420"', ['b', 'i', 'b', 'i']],
  ['headings even without the bit', [heading, heading, '', ''], 'w:val="0400"', ['i', 'b', 'i', '']],
  ['the first row by default', ['', '', ''], 'w:firstRow="0" w:noHBand="1"', ['b', 'i', '']],
])('the format of a first row applies to %s', (_name, rows, look, expected) => {
  const read = rowsOf(rows.map(row), `${ofStyle}<w:tblLook ${look}/>`, firstAndBands);
  const formats = read.map(
    ({ inlines: [text] }) => `${text?.format.isBold ? 'b' : ''}${text?.format.isItalic ? 'i' : ''}`,
  );
  expect(formats).toEqual(expected);
});

const keeps =
  '<w:compatSetting w:name="overrideTableStyleFontSizeAndJustification" w:uri="http://schemas.microsoft.com/office/word" w:val="1"/>';
const sized = (halfPoints: number, jc: string): string =>
  word.styles(
    { run: word.size(20), paragraph: word.aligned('both') },
    word.normal(word.aligned(jc), word.size(halfPoints)),
    tableStyle(''),
  );
const styled = (halfPoints: number, jc: string): string =>
  word.styles(
    {},
    word.normal(word.aligned(jc), word.size(halfPoints)),
    tableStyle('', word.aligned('center'), word.size(32)),
  );

test.each([
  ['yields to the table style', styled(22, 'left'), ofStyle, '', [32, 'center']],
  ['yields at 12 points', styled(24, 'left'), ofStyle, '', [32, 'center']],
  ['yields to the defaults of the document', sized(22, 'left'), ofStyle, '', [20, 'both']],
  ['is kept in another size and alignment', styled(26, 'right'), ofStyle, '', [26, 'right']],
  ['is kept in a table without a style', sized(22, 'left'), '', '', [22, 'left']],
  ['is kept if the document says so', styled(22, 'left'), ofStyle, keeps, [22, 'left']],
])('the default style %s', (_name, styles, properties, options, expected) => {
  const [paragraph] = rowsOf([row()], properties, styles, options);
  expect([paragraph?.inlines[0]?.format.halfPoints, paragraph?.format.alignment]).toEqual(expected);
});

test('a table style makes no headings', () => {
  const styles = word.styles({}, word.normal(), tableStyle('', '<w:outlineLvl w:val="0"/>'));
  expect(rowsOf([row()], ofStyle, styles).map(({ outline }) => outline)).toEqual([undefined]);
});

test('a cell without a border that its style has is left to LibreOffice', () => {
  const bordered = `<w:tblStylePr w:type="firstRow"><w:tcPr><w:tcBorders>${word.border('left', 8)}</w:tcBorders></w:tcPr></w:tblStylePr>`;
  const cell = word.cell(4000, 'text', '<w:tcBorders><w:left w:val="nil"/></w:tcBorders>');
  expect(() => rowsOf([word.row([cell])], ofStyle, word.styles({}, word.normal(), tableStyle(bordered)))).toThrow(
    new UnknownFeature('a cell without a border of its style'),
  );
});
