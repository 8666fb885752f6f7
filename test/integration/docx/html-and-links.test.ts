import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import {
  buildDocx,
  type DocxInput,
  footnoteReference,
  paragraph,
  run,
  table,
} from '../../support/documents/docx-builder.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();

interface Pages {
  /** White space as single spaces. */
  readonly text: string;
  /** The addresses of the link annotations, sorted. */
  readonly links: readonly string[];
  /** Number of link annotations with a target in the PDF. */
  readonly inside: number;
  readonly pages: number;
}

/** The text and the links of the PDF that LibreOffice produces from a filled template. */
async function convert(input: DocxInput, data: unknown): Promise<Pages> {
  const { file } = renderTemplate(prepareTemplate(buildDocx(input), 'pdf'), Buffer.from(JSON.stringify(data)));
  const pdf = await toPdf(file);
  const text = (await pdfText(pdf)).replace(/\s+/g, ' ').trim();
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const links: string[] = [];
  let inside = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    for (const { subtype, url } of (await page.getAnnotations()) as readonly { subtype: string; url?: string }[]) {
      if (subtype !== 'Link') continue;
      if (url === undefined) inside++;
      else links.push(url);
    }
  }
  const pages = document.numPages;
  await document.destroy();
  return { text, links: links.sort(), inside, pages };
}

const html =
  '<h1>Terms</h1><p>Read <b>all</b> of <a href="https://example.com/terms?a=1&amp;b=2">them</a>, not <a href="file:///etc/passwd">this</a>.</p>' +
  '<ul><li>one</li><li>two<ol><li>inner</li></ol></li></ul><ol start="4"><li>four</li><li>five</li></ol>' +
  '<table><thead><tr><th>Article</th><th>Price</th></tr></thead><tr><td colspan="2">wide</td></tr><tr><td>Pen</td><td>3</td></tr></table>';
const shown = 'Terms Read all of them, not this. • one • two 1. inner 4. four 5. five Article Price wide Pen 3';
const short = '<p>note <i>one</i></p><ul><li>point</li></ul>';

describe('HTML in a PDF', { timeout: 60_000 }, () => {
  it('is shown in the body, in cells, headers, footers and notes', async () => {
    const input: DocxInput = {
      body:
        `<w:p>${run('Before')}${footnoteReference(1)}</w:p>${paragraph('{~html}')}` +
        `${table([['{#items}{~.}', 'cell{/items}']])}${paragraph('After {~short} end')}`,
      headers: [paragraph('{~short}')],
      footers: [paragraph('Foot {~short}')],
      footnotes: [paragraph('{~short}')],
    };
    const { text, links, pages } = await convert(input, { html, short, items: ['<b>A</b>', '<p>B</p>', ''] });
    expect(pages).toBe(1);
    expect(text).toContain(`note one • point Before1 ${shown} A cell B cell cell After note one • point end`);
    expect(text).toContain('Foot note one • point');
    expect(text).toMatch(/1\s?note one • point/);
    expect(links).toEqual(['https://example.com/terms?a=1&b=2']);
  });

  it('leaves no page or line when it is empty', async () => {
    const full = '<w:p><w:pPr><w:spacing w:before="13200"/></w:pPr><w:r><w:t>Last</w:t></w:r></w:p>';
    const filled = await convert({ body: full + paragraph('{~gone}').repeat(8) }, { gone: '' });
    expect(filled).toMatchObject({ text: 'Last', pages: 1 });
  });
});

describe('links in a PDF', { timeout: 60_000 }, () => {
  it('lead to the address in the data, for each item of a list', async () => {
    const styled = (text: string) => `<w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>${text}</w:t></w:r>`;
    const link = (text: string) => `<w:hyperlink r:id="rIdL">${styled(text)}</w:hyperlink>`;
    const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const code = '<w:r><w:instrText xml:space="preserve"> HYPERLINK "{home}" </w:instrText></w:r>';
    const input: DocxInput = {
      body:
        `<w:p>${run('{#items}')}${link('{name}')}${run(' {/items}')}</w:p>` +
        `<w:p>${char('begin')}${code}${char('separate')}${styled('home')}${char('end')}</w:p>` +
        `${paragraph('Write to {name | link:mail}, not {name | link:none}')}<w:p>${link('nowhere')}</w:p>`,
      rels: [{ id: 'rIdL', type: 'hyperlink', target: 'https://shop.example/%7Bid%7D?q=%7Bname%7D', external: true }],
    };
    const items = [
      { id: 1, name: 'Pen & Ink' },
      { id: 2, name: 'Pad' },
    ];
    const data = { items, home: 'https://example.com/', name: 'Ada', mail: 'mailto:ada@example.com' };
    const { text, links } = await convert(input, data);
    expect(text).toBe('Pen & Ink Pad home Write to Ada, not Ada nowhere');
    expect(links).toEqual([
      'https://example.com/',
      'https://shop.example/1?q=Pen%20%26%20Ink',
      'https://shop.example/2?q=Pad',
      'mailto:ada@example.com',
    ]);
  });

  it('stay links without a character style, also in fields, in notes and to bookmarks', async () => {
    const link = (inner: string, attributes = 'r:id="rIdL"') => `<w:hyperlink ${attributes}>${inner}</w:hyperlink>`;
    const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const code = '<w:r><w:instrText xml:space="preserve"> HYPERLINK "https://field.example/" </w:instrText></w:r>';
    const unknown = '<w:r><w:rPr><w:rStyle w:val="Nowhere"/><w:b/></w:rPr><w:t>unknown</w:t></w:r>';
    const mark = '<w:bookmarkStart w:id="1" w:name="here"/><w:bookmarkEnd w:id="1"/>';
    const input: DocxInput = {
      body:
        `<w:p>${mark}${run('Dear {name} ')}${link(run('plain'))}${footnoteReference(1)}</w:p><w:p>${link(unknown)}</w:p>` +
        `<w:p>${char('begin')}${code}${char('separate')}${run('field')}${char('end')}</w:p>` +
        `<w:p>${link(run('up'), 'w:anchor="here"')}</w:p>`,
      footnotes: [
        `<w:p><w:fldSimple w:instr=" HYPERLINK &quot;https://note.example/&quot; ">${run('note')}</w:fldSimple></w:p>`,
      ],
      rels: [{ id: 'rIdL', type: 'hyperlink', target: 'https://plain.example/', external: true }],
    };
    const { links, inside } = await convert(input, { name: 'Ada' });
    expect(links).toEqual([
      'https://field.example/',
      'https://note.example/',
      'https://plain.example/',
      'https://plain.example/',
    ]);
    expect(inside).toBeGreaterThanOrEqual(1);
  });
});
