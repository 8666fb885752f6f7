import { describe, expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import { buildDocx, footnoteReference, paragraph, run, table } from '../../support/documents/docx-builder.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();

/** The pages of the PDF that LibreOffice produces from a filled template; white space is collapsed. */
async function pages(body: string, data: unknown): Promise<string[]> {
  const template = buildDocx({ body, footnotes: [paragraph('Note')] });
  const { file } = renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify(data)));
  return (await pdfText(await toPdf(file)))
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replace(/\s+/g, ' ').trim());
}

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
const letters = paragraph('{#people}') + paragraph('Dear {name}') + pageBreak + paragraph('{/people}');
const onNewPage = `<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${run('Dear {name}')}</w:p>`;
const people = [{ name: 'Ada' }, { name: 'Bob' }];
const cell = (text: string, merge: string) =>
  `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/>${merge}</w:tcPr>${paragraph(text)}</w:tc>`;
const merged =
  '<w:tbl><w:tblPr><w:tblW w:w="6000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>' +
  `<w:tr>${cell('{#groups}{#items}{group}', '<w:vMerge w:val="restart"/>')}${cell('{.}{/items}', '')}</w:tr>` +
  `<w:tr>${cell('', '<w:vMerge/>')}${cell('sum {items | sum}{/groups}', '')}</w:tr></w:tbl>`;

describe('pages', () => {
  it('are one for each item, and none is empty', async () => {
    expect(await pages(letters, { people })).toEqual(['Dear Ada', 'Dear Bob']);
    expect(await pages(paragraph('Intro') + pageBreak + letters, { people: [] })).toEqual(['Intro']);
    const before = paragraph('{#people}') + onNewPage + paragraph('{/people}');
    expect(await pages(before, { people })).toEqual(['Dear Ada', 'Dear Bob']);
  });
});

describe('tables', () => {
  it('show the columns that data has, in the order of the data', async () => {
    const cross = table([
      ['Product', '{|months}{name}', 'Total'],
      ['{#rows}{product}', '{amounts[name]}', '{total}{/rows}'],
    ]);
    const months = [{ name: 'Jan' }, { name: 'Feb' }];
    const rows = [{ product: 'Pen', amounts: { Jan: 1, Feb: 2 }, total: 3 }];
    expect(await pages(cross, { months, rows })).toEqual(['Product Jan Feb Total Pen 1 2 3']);
    expect(await pages(cross, { months: [], rows })).toEqual(['Product Total Pen 3']);
  });

  it('show a merged cell once over the rows of its group', async () => {
    const groups = [
      { group: 'A', items: [1, 2] },
      { group: 'B', items: [3] },
    ];
    expect(await pages(merged, { groups })).toEqual(['A 1 2 sum 3 B 3 sum 3']);
  });
});

describe('what may have only one id', () => {
  it('is shown for each item: checkboxes and numbered notes', async () => {
    const checkbox =
      '<w:sdt><w:sdtPr><w:alias w:val="{done}"/><w:id w:val="7"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr>' +
      '<w:sdtContent><w:r><w:t>☐</w:t></w:r></w:sdtContent></w:sdt>';
    const body = `${paragraph('{#tasks}')}<w:p>${checkbox}${run(' {name}')}${footnoteReference(1)}</w:p>${paragraph('{/tasks}')}`;
    const tasks = [
      { name: 'write', done: true },
      { name: 'send', done: false },
    ];
    expect(await pages(body, { tasks })).toEqual(['☒ write1 ☐ send2 1Note 2Note']);
  });
});
