import { readFile } from 'node:fs/promises';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { examplePicture } from '../../../src/worker/docx/features/images/picture-data.ts';
import { prepareTemplate, type RenderTarget, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { chartFiles } from '../../support/documents/chart-files.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import {
  buildDocx,
  type DocxInput,
  footnoteReference,
  paragraph,
  run,
  table,
} from '../../support/documents/docx-builder.ts';
import { field, pageBreak } from '../../support/documents/field-builder.ts';
import { labelSheet } from '../../support/documents/label-sheet.ts';
import { imagesOf } from '../pdf/office/office-fixture.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();

async function convert(template: DocxInput | Buffer, data: unknown, target: RenderTarget = 'pdf'): Promise<Uint8Array> {
  const bytes = Buffer.isBuffer(template) ? template : buildDocx(template);
  return toPdf(renderTemplate(prepareTemplate(bytes, target), Buffer.from(JSON.stringify(data))).file);
}

/** The text of each page of the PDF that LibreOffice makes of a filled template; white space is collapsed. */
async function pages(template: DocxInput | Buffer, data: unknown, target?: RenderTarget): Promise<string[]> {
  return pagesOf(await convert(template, data, target));
}

async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const texts = (await pdfText(pdf)).split('\f').slice(0, -1);
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

/** The addresses that a PDF links to, sorted; undefined for a link to a place in the document. */
async function linksOf(pdf: Uint8Array): Promise<(string | undefined)[]> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const annotations = (await (await document.getPage(1)).getAnnotations()) as { subtype: string; url?: string }[];
  await document.destroy();
  return annotations.flatMap(({ subtype, url }) => (subtype === 'Link' ? [url] : [])).sort();
}

/** A note and its number link to each other. */
const ofNote = [undefined, undefined];

describe('a sheet of labels', () => {
  it('that fills its page is followed by the next one, without empty pages', async () => {
    const section =
      '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="0" w:right="0" w:bottom="0" w:left="0" w:header="0" w:footer="0" w:gutter="0"/>';
    const end =
      '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr></w:p>';
    const label = paragraph('{#people | grid}{name}') + paragraph('{city}{/people}');
    const sheet = { columns: [3968, 3968, 3970], rows: Array.from({ length: 8 }, () => 2100) };
    const people = Array.from({ length: 50 }, (_, index) => ({ name: `N${index + 1}`, city: `C${index + 1}` }));
    const found = await pages({ body: labelSheet(sheet, label) + end, section }, { people });
    expect(found.map((text) => text.match(/N\d+/g)?.length)).toEqual([24, 24, 2]);
    expect(found[2]).toBe('N49 N50 C49 C50');
  });

  it('of one row goes on down the page', async () => {
    const body = table([['{#people | grid}{name}{/people}', '', '']]) + paragraph('End');
    const people = Array.from({ length: 5 }, (_, index) => ({ name: `N${index + 1}` }));
    expect(await pages({ body }, { people })).toEqual(['N1 N2 N3 N4 N5 End']);
  });
});

describe.each(['docx', 'pdf'] as const)('a template filled for %s', (target) => {
  it('opens in LibreOffice with everything in its place', async () => {
    const template: DocxInput = {
      body:
        `<w:p>${run('Dear {customer.name}')}${footnoteReference(1)}</w:p>` +
        paragraph('{#orders}') +
        paragraph('Order {id}') +
        table([
          ['Article', 'Sizes', 'Price'],
          ['{#items}{sku}', '{#sizes}{.} {/sizes}{^sizes}one size{/sizes}', '{price}{/items}'],
        ]) +
        table([['{#gifts}{.}', 'gift{/gifts}']]) +
        paragraph('{/orders}') +
        table([[paragraph('{#secret}') + paragraph('hidden') + paragraph('{/secret}'), 'kept']]) +
        paragraph('{note}'),
      headers: [paragraph('Header {customer.name}')],
      footers: [table([['{#contacts}{.}', 'contact{/contacts}']])],
      footnotes: [paragraph('Terms for {customer.name}')],
    };
    const items = [
      { sku: 'A1', sizes: ['small', 'large'], price: 12.5 },
      { sku: 'B2', sizes: [], price: 0 },
    ];
    const orders = [
      { id: 1, items, gifts: [] },
      { id: 2, items: [], gifts: ['cup'] },
    ];
    const data = { customer: { name: 'Ada & <Byron>' }, orders, note: 'first line\nsecond\tline', contacts: [] };
    expect(await pages(template, data, target)).toEqual([
      'Header Ada & <Byron> Dear Ada & <Byron>1 ' +
        'Order 1 Article Sizes Price A1 small large 12.5 B2 one size 0 ' +
        'Order 2 Article Sizes Price cup gift kept first line second line 1Terms for Ada & <Byron>',
    ]);
  });

  it('prints the notes, numbers and pages of each item', async () => {
    const noted = (text: string, id: number) => `<w:p>${run(text)}${footnoteReference(id)}</w:p>`;
    const setup = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>';
    const template: DocxInput = {
      body:
        `${noted('{#no}gone', 1)}${paragraph('{/no}')}${paragraph('{#items}')}${noted('{name}', 3)}${noted('second', 2)}` +
        `<w:p><w:pPr>${setup}</w:pPr></w:p>${paragraph('{/items}')}<w:p/>`,
      section: '<w:pgSz w:w="11906" w:h="16838"/>',
      footnotes: [paragraph('first'), paragraph('of all'), paragraph('for {name}')],
    };
    expect(await pages(template, { items: [{ name: 'Ada' }, { name: 'Bob' }] }, target)).toEqual([
      'Ada1 second2 1for Ada 2of all',
      'Bob3 second4 3for Bob 4of all',
    ]);
  });

  it.each(['invoice', 'contract', 'letter', 'report', 'certificate'])(
    'opens as the %s of the examples',
    async (name) => {
      const example = (ending: string) => readFile(new URL(`../../../examples/${name}.${ending}`, import.meta.url));
      const data = JSON.parse((await example('json')).toString()) as unknown;
      const text = (await pages(await example('docx'), data, target)).join(' ');
      expect(text.length).toBeGreaterThan(200);
      expect(text).not.toMatch(/[{}]|undefined|\[object/);
    },
  );
});

describe('HTML in a PDF', () => {
  const html =
    '<h1>Terms</h1><p>Read <b>all</b> of <a href="https://example.com/terms?a=1&amp;b=2">them</a>, not <a href="file:///etc/passwd">this</a>.</p>' +
    '<ul><li>one</li><li>two<ol><li>inner</li></ol></li></ul><ol start="4"><li>four</li><li>five</li></ol>' +
    '<table><thead><tr><th>Article</th><th>Price</th></tr></thead><tr><td colspan="2">wide</td></tr><tr><td>Pen</td><td>3</td></tr></table>';
  const shown = 'Terms Read all of them, not this. • one • two 1. inner 4. four 5. five Article Price wide Pen 3';
  const short = '<p>note <i>one</i></p><ul><li>point</li></ul>';

  it('is shown in the body, in cells, headers, footers and notes', async () => {
    const input: DocxInput = {
      body:
        `<w:p>${run('Before')}${footnoteReference(1)}</w:p>${paragraph('{~html}')}` +
        `${table([['{#items}{~.}', 'cell{/items}']])}${paragraph('After {~short} end')}`,
      headers: [paragraph('{~short}')],
      footers: [paragraph('Foot {~short}')],
      footnotes: [paragraph('{~short}')],
    };
    const pdf = await convert(input, { html, short, items: ['<b>A</b>', '<p>B</p>', ''] });
    const [text, ...others] = await pagesOf(pdf);
    expect(others).toEqual([]);
    expect(text).toContain(`note one • point Before1 ${shown} A cell B cell cell After note one • point end`);
    expect(text).toContain('Foot note one • point');
    expect(text).toMatch(/1\s?note one • point/);
    expect(await linksOf(pdf)).toEqual(['https://example.com/terms?a=1&b=2', ...ofNote]);
  });

  it('is the same for Markdown, with its pictures', async () => {
    const markdown =
      '# Terms\n\nRead **all** of [them](https://example.com/terms?a=1&b=2), not [this](file:///etc/passwd).\n\n' +
      '- one\n- two\n  1. inner\n\n4. four\n5. five\n\n| Article | Price |\n| --- | ---: |\n| Pen | 3 |\n\n' +
      `> Quoted\n\n![Logo](data:image/png;base64,${examplePicture})`;
    const pdf = await convert({ body: paragraph('{~md:markdown}') }, { markdown });
    const text = 'Terms Read all of them, not this. • one • two 1. inner 4. four 5. five Article Price Pen 3 Quoted';
    expect(await pagesOf(pdf)).toEqual([text]);
    expect(await linksOf(pdf)).toEqual(['https://example.com/terms?a=1&b=2']);
    expect(await imagesOf(pdf)).toHaveLength(1);
  });

  it('leaves no page or line when it is empty', async () => {
    const full = '<w:p><w:pPr><w:spacing w:before="13200"/></w:pPr><w:r><w:t>Last</w:t></w:r></w:p>';
    expect(await pages({ body: full + paragraph('{~gone}').repeat(8) }, { gone: '' })).toEqual(['Last']);
  });
});

describe('links in a PDF', () => {
  const link = (inner: string, attributes = 'r:id="rIdL"') => `<w:hyperlink ${attributes}>${inner}</w:hyperlink>`;
  const linkTo = (target: string) => ({ rels: [{ id: 'rIdL', type: 'hyperlink', target, external: true }] });

  it('lead to the address in the data, for each item of a list', async () => {
    const styled = (text: string) => `<w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>${text}</w:t></w:r>`;
    const input: DocxInput = {
      ...linkTo('https://shop.example/%7Bid%7D?q=%7Bname%7D'),
      body:
        `<w:p>${run('{#items}')}${link(styled('{name}'))}${run(' {/items}')}</w:p>` +
        `<w:p>${field('HYPERLINK "{home}"', styled('home'))}</w:p>` +
        `${paragraph('Write to {name | link:mail}, not {name | link:none}')}<w:p>${link(styled('nowhere'))}</w:p>`,
    };
    const items = [
      { id: 1, name: 'Pen & Ink' },
      { id: 2, name: 'Pad' },
    ];
    const pdf = await convert(input, {
      items,
      home: 'https://example.com/',
      name: 'Ada',
      mail: 'mailto:ada@example.com',
    });
    expect(await pagesOf(pdf)).toEqual(['Pen & Ink Pad home Write to Ada, not Ada nowhere']);
    expect(await linksOf(pdf)).toEqual([
      'https://example.com/',
      'https://shop.example/1?q=Pen%20%26%20Ink',
      'https://shop.example/2?q=Pad',
      'mailto:ada@example.com',
    ]);
  });

  it('stay links without a character style, also in fields, in notes and to bookmarks', async () => {
    const unknown = '<w:r><w:rPr><w:rStyle w:val="Nowhere"/><w:b/></w:rPr><w:t>unknown</w:t></w:r>';
    const mark = '<w:bookmarkStart w:id="1" w:name="here"/><w:bookmarkEnd w:id="1"/>';
    const note = `<w:fldSimple w:instr=" HYPERLINK &quot;https://note.example/&quot; ">${run('note')}</w:fldSimple>`;
    const input: DocxInput = {
      ...linkTo('https://plain.example/'),
      body:
        `<w:p>${mark}${run('Dear {name} ')}${link(run('plain'))}${footnoteReference(1)}</w:p><w:p>${link(unknown)}</w:p>` +
        `<w:p>${field('HYPERLINK "https://field.example/"', run('field'))}</w:p>` +
        `<w:p>${link(run('up'), 'w:anchor="here"')}</w:p>`,
      footnotes: [`<w:p>${note}</w:p>`],
    };
    const links = await linksOf(await convert(input, { name: 'Ada' }));
    const addresses = ['field', 'note', 'plain', 'plain'].map((host) => `https://${host}.example/`);
    expect(links).toEqual([...addresses, undefined, ...ofNote]);
  });
});

describe('pages, tables and charts in a PDF', () => {
  const letters = paragraph('{#people}') + paragraph('Dear {name}') + pageBreak + paragraph('{/people}');
  const onNewPage = `<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${run('Dear {name}')}</w:p>`;
  const people = [{ name: 'Ada' }, { name: 'Bob' }];

  it.each([
    ['ends with a page break', letters, people, ['Dear Ada', 'Dear Bob']],
    [
      'begins with a page break',
      paragraph('{#people}') + onNewPage + paragraph('{/people}'),
      people,
      ['Dear Ada', 'Dear Bob'],
    ],
    ['is an empty list', paragraph('Intro') + pageBreak + letters, [], ['Intro']],
  ])('no page is empty where a section %s', async (_, body, people, expected) => {
    expect(await pages({ body }, { people })).toEqual(expected);
  });

  it('tables show the columns that the data has, in its order', async () => {
    const cross = table([
      ['Product', '{|months}{name}', 'Total'],
      ['{#rows}{product}', '{amounts[name]}', '{total}{/rows}'],
    ]);
    const rows = [{ product: 'Pen', amounts: { Jan: 1, Feb: 2 }, total: 3 }];
    const months = [{ name: 'Jan' }, { name: 'Feb' }];
    expect(await pages({ body: cross }, { months, rows })).toEqual(['Product Jan Feb Total Pen 1 2 3']);
    expect(await pages({ body: cross }, { months: [], rows })).toEqual(['Product Total Pen 3']);
  });

  it('a merged cell is shown once over the rows of its group', async () => {
    const cell = (text: string, merge: string) =>
      `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/>${merge}</w:tcPr>${paragraph(text)}</w:tc>`;
    const body =
      '<w:tbl><w:tblPr><w:tblW w:w="6000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>' +
      `<w:tr>${cell('{#groups}{#items}{group}', '<w:vMerge w:val="restart"/>')}${cell('{.}{/items}', '')}</w:tr>` +
      `<w:tr>${cell('', '<w:vMerge/>')}${cell('sum {items | sum}{/groups}', '')}</w:tr></w:tbl>`;
    const groups = [
      { group: 'A', items: [1, 2] },
      { group: 'B', items: [3] },
    ];
    expect(await pages({ body }, { groups })).toEqual(['A 1 2 sum 3 B 3 sum 3']);
  });

  it('checkboxes and numbered notes are shown for each item, although their ids must be unique', async () => {
    const checkbox =
      '<w:sdt><w:sdtPr><w:alias w:val="{done}"/><w:id w:val="7"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr>' +
      '<w:sdtContent><w:r><w:t>☐</w:t></w:r></w:sdtContent></w:sdt>';
    const body = `${paragraph('{#tasks}')}<w:p>${checkbox}${run(' {name}')}${footnoteReference(1)}</w:p>${paragraph('{/tasks}')}`;
    const tasks = [{ name: 'write', done: true }, { name: 'send' }];
    expect(await pages({ body, footnotes: [paragraph('Note')] }, { tasks })).toEqual(['☒ write1 ☐ send2 1Note 2Note']);
  });

  it('a chart is shown for each item of a list', async () => {
    const cells = [
      [' ', 'Sales {region}'],
      ['{#months}{name}', '{sales}{/months}'],
    ];
    const chart = chartFiles({ kind: 'bar', cells, title: 'About {region}', heightMm: 60 });
    const template: DocxInput = {
      body: `${paragraph('{#regions}')}<w:p>${chart.run}</w:p>${paragraph('{/regions}')}`,
      parts: chart.parts,
      contentTypes: chart.contentTypes,
      rels: [chart.relationship],
    };
    const sales = (...names: readonly string[]) => names.map((name, i) => ({ name, sales: 5 + i }));
    const regions = [
      { region: 'North', months: sales('January') },
      { region: 'South', months: sales('March', 'April') },
    ];
    const words = (await pages(template, { regions })).join(' ');
    expect(words).toMatch(/About North.*January.*About South.*March.*April/);
    expect(words).not.toMatch(/[{}]/);
  });
});
