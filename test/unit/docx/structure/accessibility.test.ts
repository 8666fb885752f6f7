import { describe, expect, test } from 'vitest';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';

const language = '<w:p><w:r><w:rPr><w:lang w:val="en-GB"/></w:rPr><w:t>{x}</w:t></w:r></w:p>';
const coreType = 'application/vnd.openxmlformats-package.core-properties+xml';
const core = (title: string): string =>
  `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`;

/** The codes that a body causes beyond those of a document without a title, with their counts. */
function notesOf(body: string): string[] {
  const { accessibility } = inspectTemplate(buildDocx({ body: language + body }));
  return accessibility.filter(({ code }) => code !== 'title_missing').map(({ code, count }) => `${code} ${count}`);
}

const picture = (attributes: string, inner = ''): string =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="Picture 1" ${attributes}>${inner}</wp:docPr><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const decorative =
  '<a:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:ext uri="x"><adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>';
const heading = (level: number): string =>
  `<w:p><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:r><w:t>Heading ${level}</w:t></w:r></w:p>`;
const cell = (text: string, properties = ''): string =>
  `<w:tc>${properties}<w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
const row = (cells: string, properties = ''): string => `<w:tr>${properties}${cells}</w:tr>`;
const table = (rows: string): string =>
  `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>${rows}</w:tbl><w:p/>`;
const header = '<w:trPr><w:tblHeader/></w:trPr>';
const link = (text: string): string =>
  `<w:p><w:hyperlink w:anchor="a"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;
const coloured = (colour: string, more = ''): string =>
  `<w:p><w:r><w:rPr><w:color w:val="${colour}"/>${more}</w:rPr><w:t>Text</w:t></w:r></w:p>`;

describe('obstacles to accessibility', () => {
  test('a title and a language', () => {
    const without = inspectTemplate(buildDocx({ body: paragraph('{x}') }));
    expect(without.accessibility.map(({ code }) => code)).toEqual(['title_missing', 'language_missing']);
    const parts = { 'docProps/core.xml': core('Offer') };
    const titled = buildDocx({ body: language, parts, contentTypes: { 'docProps/core.xml': coreType } });
    expect(inspectTemplate(titled).accessibility).toEqual([]);
  });

  test.each([
    ['a picture without text', picture(''), ['alternative_text_missing 1']],
    ['two of them', picture('') + picture('descr=" "'), ['alternative_text_missing 2']],
    ['a described picture', picture('descr="a square"'), []],
    ['a picture with a title', picture('title="a square"'), []],
    ['a decorative picture', picture('', decorative), []],
    ['headings in order', heading(1) + heading(2) + heading(2) + heading(1), []],
    ['heading 2 first', heading(2) + heading(3), ['heading_first 1']],
    ['a skipped level', heading(1) + heading(3), ['heading_skipped 1']],
    ['a long text without headings', paragraph('text').repeat(40), ['heading_missing 1']],
    [
      'a table without heading',
      table(row(cell('a') + cell('b')) + row(cell('c') + cell('d'))),
      ['table_heading_missing 1'],
    ],
    ['a table with heading', table(row(cell('a') + cell('b'), header) + row(cell('c') + cell('d'))), []],
    ['a table for layout', table(row(cell('a') + cell('b'))), []],
    [
      'merged cells',
      table(row(cell('a', '<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>'), header) + row(cell('c') + cell('d'))),
      ['merged_cells 1'],
    ],
    ['an address as link', link('https://example.com/a'), ['link_text 1']],
    ['a vague link', link('Click here'), ['link_text 1']],
    ['a good link', link('Terms of sale'), []],
    ['grey on white', coloured('BBBBBB'), ['low_contrast 1']],
    ['black on white', coloured('000000'), []],
    ['large grey text', coloured('808080', '<w:sz w:val="48"/>'), []],
    ['white on dark', coloured('FFFFFF', '<w:shd w:val="clear" w:fill="000000"/>'), []],
    ['white on an unknown cell', table(row(`${cell('a')}<w:tc>${coloured('FFFFFF')}</w:tc>`)), []],
  ])('%s', (_what, body, expected) => {
    expect(notesOf(body)).toEqual(expected);
  });

  test('the message names the location of the first one', () => {
    const { accessibility } = inspectTemplate(buildDocx({ body: language + heading(1) + heading(3) }));
    expect(accessibility.at(-1)?.message).toBe('A heading skips a level. The first: "Heading 3".');
  });
});
