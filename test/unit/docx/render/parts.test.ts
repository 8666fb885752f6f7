import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import {
  contentControl,
  endnoteReference,
  footnoteReference,
  namespaces,
  paragraph,
  run,
  table,
  textBox,
} from '../../../support/documents/docx-builder.ts';
import { bytesOf, fill, fillText, inspect, render, textOf, titled } from './fill.ts';

describe('every part of a document', () => {
  it('fills headers, footers, footnotes, endnotes and comments', () => {
    const note = paragraph('{#items}{sku} {/items}{name}');
    const template = {
      body: `<w:p>${run('{name}')}${footnoteReference(1)}${endnoteReference(1)}</w:p>`,
      headers: [paragraph('H {name}'), paragraph('First {name}')],
      footers: [table([['{#items}{sku}', '{name}{/items}']])],
      footnotes: [note],
      endnotes: [note],
      comments: [note],
    };
    const docx = fill(template, { name: 'Ada', items: [{ sku: 'A1' }, { sku: 'B2' }] });
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

  it('does not read the headings that Word stores in the properties', () => {
    const titles =
      '<TitlesOfParts><vt:vector size="1" baseType="lpstr"><vt:lpstr>{#items}Order +++x+++</vt:lpstr></vt:vector></TitlesOfParts>';
    const pairs = '<HeadingPairs><vt:vector size="2" baseType="variant"/></HeadingPairs>';
    const input = {
      body: paragraph('{#items}Order') + paragraph('{sku}{/items}'),
      parts: {
        'docProps/app.xml': `<Properties xmlns:vt="vt">${pairs}${titles}<Company>{company}</Company></Properties>`,
      },
      contentTypes: { 'docProps/app.xml': 'application/vnd.openxmlformats-officedocument.extended-properties+xml' },
    };
    const { tags, warnings } = inspect(input);
    expect({ tags, warnings }).toEqual({ tags: ['company', 'items', 'sku'], warnings: [] });
    const docx = fill(input, { items: [{ sku: 'A1' }], company: 'Ink' });
    expect(docx.readText('docProps/app.xml')).toBe('<Properties xmlns:vt="vt"><Company>Ink</Company></Properties>');
  });

  it('fills document properties without line breaks', () => {
    const { part } = render(titled('{title}', { body: paragraph('x') }), { title: 'A & B\nC' });
    expect(part('docProps/core.xml')).toContain('<dc:title>A &amp; B C</dc:title>');
  });

  it('fills both forms of text boxes, and content controls', () => {
    const body = textBox(paragraph('{name}')) + contentControl(paragraph('C {name}'));
    expect(fillText({ body }, { name: 'Ada' })).toBe('Ada\nAda\n\nC Ada');
  });

  it('reads parts in UTF-16', () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?><w:document ${namespaces}><w:body>${paragraph('Grüße {name}')}</w:body></w:document>`;
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, 'utf16le')]);
    expect(fillText({ parts: { 'word/document.xml': utf16 } }, { name: '漢' })).toBe('Grüße 漢');
  });

  it('leaves every part without tags unchanged', () => {
    const template = { body: paragraph('{name}'), headers: [paragraph('static')] };
    const docx = fill(template, { name: 'x' });
    const before = openPackage(bytesOf(template));
    expect(docx.partNames).toEqual(before.partNames);
    for (const name of docx.partNames) {
      if (name !== docx.mainPart) expect(docx.read(name), name).toEqual(before.read(name));
    }
  });
});
