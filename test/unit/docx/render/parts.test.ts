import { describe, expect, it } from 'vitest';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import {
  buildDocx,
  endnoteReference,
  footnoteReference,
  namespaces,
  paragraph,
  run,
  table,
} from '../../../support/documents/docx-builder.ts';
import { fill, fillText, textOf } from './fill.ts';

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>';

describe('every part of a document', () => {
  it('fills headers, footers, footnotes, endnotes and comments', () => {
    const note = paragraph('{#items}{sku} {/items}{name}');
    const docx = fill(
      {
        body: `<w:p>${run('{name}')}${footnoteReference(1)}${endnoteReference(1)}</w:p>`,
        headers: [paragraph('H {name}'), paragraph('First {name}')],
        footers: [table([['{#items}{sku}', '{name}{/items}']])],
        footnotes: [note],
        endnotes: [note],
        comments: [note],
      },
      { name: 'Ada', items: [{ sku: 'A1' }, { sku: 'B2' }] },
    );
    expect(textOf(docx)).toBe('Ada');
    expect(textOf(docx, 'word/header1.xml')).toBe('H Ada');
    expect(textOf(docx, 'word/header2.xml')).toBe('First Ada');
    expect(textOf(docx, 'word/footer1.xml').replaceAll('\n', '/')).toBe('|A1/|Ada/|B2/|Ada');
    for (const part of ['footnotes', 'endnotes', 'comments']) {
      expect(textOf(docx, `word/${part}.xml`), part).toContain('A1 B2 Ada');
    }
  });

  it('fills tags that occur only in a header', () => {
    const docx = fill({ body: paragraph('static'), headers: [paragraph('{#a}{b}{/a}')] }, { a: [{ b: 1 }, { b: 2 }] });
    expect(textOf(docx, 'word/header1.xml')).toBe('12');
    expect(textOf(docx)).toBe('static');
  });

  it('does not read the headings that Word keeps in the properties', () => {
    const titles =
      '<TitlesOfParts><vt:vector size="1" baseType="lpstr"><vt:lpstr>{#items}Order +++x+++</vt:lpstr></vt:vector></TitlesOfParts>';
    const pairs = '<HeadingPairs><vt:vector size="2" baseType="variant"/></HeadingPairs>';
    const type = 'application/vnd.openxmlformats-officedocument.extended-properties+xml';
    const input = {
      body: paragraph('{#items}Order') + paragraph('{sku}{/items}'),
      parts: {
        'docProps/app.xml': `<Properties xmlns:vt="vt">${pairs}${titles}<Company>{company}</Company></Properties>`,
      },
      contentTypes: { 'docProps/app.xml': type },
    };
    const { tags, warnings } = inspectTemplate(buildDocx(input));
    expect({ tags, warnings }).toEqual({ tags: ['company', 'items', 'sku'], warnings: [] });
    const docx = fill(input, { items: [{ sku: 'A1' }], company: 'Ink' });
    expect(docx.readText('docProps/app.xml')).toBe('<Properties xmlns:vt="vt"><Company>Ink</Company></Properties>');
  });

  it('fills document properties, in one line', () => {
    const type = 'application/vnd.openxmlformats-package.core-properties+xml';
    const core = `${xmlHead}<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>{title}</dc:title></cp:coreProperties>`;
    const docx = fill(
      { body: paragraph('x'), parts: { 'docProps/core.xml': core }, contentTypes: { 'docProps/core.xml': type } },
      { title: 'A & B\nC' },
    );
    expect(docx.readText('docProps/core.xml')).toContain('<dc:title>A &amp; B C</dc:title>');
  });

  it('fills text boxes in both of their forms, and content controls', () => {
    const box = paragraph('{name}');
    const shape =
      '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:docPr id="1" name="b"/>' +
      `<a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${box}</w:txbxContent></wps:txbx></wps:wsp>` +
      '</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>' +
      `<mc:Fallback><w:pict><v:rect><v:textbox><w:txbxContent>${box}</w:txbxContent></v:textbox></v:rect></w:pict></mc:Fallback>` +
      '</mc:AlternateContent></w:r></w:p>';
    const control = `<w:sdt><w:sdtPr/><w:sdtContent>${paragraph('C {name}')}</w:sdtContent></w:sdt>`;
    expect(fillText({ body: shape + control }, { name: 'Ada' })).toBe('Ada\nAda\n\nC Ada');
  });

  it('reads parts in UTF-16', () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?><w:document ${namespaces}><w:body>${paragraph('Grüße {name}')}</w:body></w:document>`;
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, 'utf16le')]);
    expect(fillText({ parts: { 'word/document.xml': utf16 } }, { name: '漢' })).toBe('Grüße 漢');
  });

  it('leaves every part without tags unchanged', () => {
    const template = { body: paragraph('{name}'), headers: [paragraph('static')] };
    const docx = fill(template, { name: 'x' });
    const before = openPackage(buildDocx(template));
    expect(docx.partNames).toEqual(before.partNames);
    for (const name of docx.partNames) {
      if (name !== docx.mainPart) expect(docx.read(name), name).toEqual(before.read(name));
    }
  });
});

describe('what empty sections leave behind', () => {
  it('drops rows and tables that become empty', () => {
    const body = table([['{#rows}{a}', '{b}{/rows}']]) + paragraph('after');
    const docx = fill({ body }, { rows: [] });
    expect(docx.readText('word/document.xml')).not.toContain('<w:tbl>');
    expect(textOf(docx)).toBe('after');
  });

  it('keeps a paragraph in a cell that loses all of its own', () => {
    const body = table([[paragraph('{#x}') + paragraph('gone') + paragraph('{/x}'), 'kept']]) + paragraph('after');
    const xml = fill({ body }, {}).readText('word/document.xml') ?? '';
    expect(xml).toContain('</w:tcPr><w:p/></w:tc>');
  });

  it('ends a cell with a paragraph when the one after its table is removed', () => {
    const inner = table([['{#rows}{a}', '{/rows}']]);
    const cell = inner + paragraph('{#x}') + paragraph('gone') + paragraph('{/x}');
    const body = table([[cell, 'kept']]) + paragraph('after');
    const xml = fill({ body }, { rows: [{ a: 1 }] }).readText('word/document.xml') ?? '';
    expect(xml).toContain('</w:tbl><w:p/></w:tc>');
    const without = fill({ body }, { rows: [] }).readText('word/document.xml') ?? '';
    expect(without).toContain('</w:tcPr><w:p/></w:tc>');
  });

  it('puts a paragraph into an empty content control between paragraphs, and nothing into one between rows', () => {
    const control = (content: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const block = control(paragraph('{#x}') + paragraph('gone') + paragraph('{/x}')) + paragraph('after');
    expect(fill({ body: block }, {}).readText('word/document.xml')).toContain('<w:sdtContent><w:p/></w:sdtContent>');
    const row = /<w:tr>.*<\/w:tr>/.exec(table([['{#x}a', 'b{/x}']]))?.[0] ?? '';
    const rows = table([['head', 'head']]).replace('</w:tbl>', `${control(row)}</w:tbl>`) + paragraph('after');
    expect(fill({ body: rows }, {}).readText('word/document.xml')).toContain('<w:sdtContent></w:sdtContent>');
    expect(fillText({ body: rows }, { x: [1, 2] }).replaceAll('\n', '/')).toBe('|head/|head/|a/|b/|a/|b/after');
  });

  it('repeats page breaks with the items of a section', () => {
    const pageBreak = '<w:r><w:br w:type="page"/></w:r>';
    const closing = `<w:p>${run('{/pages}')}${pageBreak}</w:p>`;
    const body = paragraph('{#pages}') + paragraph('{title}') + closing + paragraph('end');
    expect(fillText({ body }, { pages: [{ title: 'A' }, { title: 'B' }] })).toBe('A\nB[page]\nend');
  });

  it('gives repeated drawings unique ids', () => {
    const drawing = '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="7" name="p"/></wp:inline></w:drawing></w:r></w:p>';
    const body =
      paragraph('{#items}') + drawing + paragraph('{sku}') + paragraph('{/items}') + drawing.replace('"7"', '"8"');
    const xml = fill({ body }, { items: [{ sku: 1 }, { sku: 2 }, { sku: 3 }] }).readText('word/document.xml') ?? '';
    const ids = Array.from(xml.matchAll(/<wp:docPr id="(\d+)"/g), (match) => match[1]);
    expect(new Set(ids).size).toBe(4);
    expect(ids).toContain('7');
  });
});
