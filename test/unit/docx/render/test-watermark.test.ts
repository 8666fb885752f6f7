import { describe, expect, test } from 'vitest';

import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import { type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { render, types } from './fill.ts';

function marked(input: DocxInput, hasTestWatermark = true) {
  const filled = render({ body: paragraph('{name}'), ...input }, { name: 'Ada' }, { hasTestWatermark });
  validatePackage(filled.docx);
  return filled;
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relationships = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const main = (content: string) => ({
  parts: { 'word/document.xml': `<w:document ${word} ${relationships}><w:body>${content}</w:body></w:document>` },
});
const marks = (xml: string | undefined) => xml?.split('string="TEST"').length ?? 0;

test('a document does not change without the option', () => {
  const { docx } = marked({}, false);
  expect(docx.partNames.filter((name) => /header/i.test(name))).toEqual([]);
});

test('a document without headers gets one that is a point high', () => {
  const { docx, xml, part } = marked({});
  const header = part('word/headerTest.xml');
  expect(marks(header)).toBe(2);
  expect(header).toContain('w:line="20" w:lineRule="exact"');
  expect(docx.contentType('word/headerTest.xml')).toContain('header+xml');
  expect(xml).toMatch(/<w:sectPr[^>]*><w:headerReference [^>]*w:type="default" r:id="rIdTest"\/>/);
  expect(part('word/_rels/document.xml.rels')).toMatch(/Id="rIdTest" Type="[^"]*\/header" Target="headerTest.xml"/);
});

test('each header gets the mark once, in its first paragraph after the properties, and keeps its text', () => {
  const properties =
    '<w:pPr><w:jc w:val="right"/><w:pPrChange w:id="1" w:author="a"><w:pPr><w:jc w:val="left"/></w:pPr></w:pPrChange></w:pPr>';
  const headers = [
    `<w:p>${properties}<w:r><w:t>First {name}</w:t></w:r></w:p>${paragraph('second')}`,
    '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p/>',
    '<w:p w:rsidR="00AA"/>',
  ];
  const { docx } = marked({ headers });
  const texts = docx.partNames.filter((name) => /header\d\.xml$/.test(name)).map((name) => docx.readText(name) ?? '');
  expect(texts.map(marks)).toEqual([2, 2, 2]);
  expect(texts[0]).toMatch(/<\/w:pPrChange><\/w:pPr><w:r [^>]*><w:rPr><w:noProof\/>/);
  expect(texts[0]).toContain('Ada');
  expect(texts[1]).toMatch(/<w:tc><w:p><w:r .*<\/w:r><\/w:p><\/w:tc>/);
  expect(texts[2]).toMatch(/<w:p w:rsidR="00AA"><w:r .*<\/w:r><\/w:p>/);
});

describe('pages that lack a header', () => {
  const reference = (type: string) => `<w:headerReference w:type="${type}" r:id="rId90"/>`;
  const withHeader = (content: string): DocxInput => ({
    parts: { ...main(content).parts, 'word/header9.xml': `<w:hdr ${word}>${paragraph('own')}</w:hdr>` },
    contentTypes: { 'word/header9.xml': types.word('header') },
    rels: [{ id: 'rId90', type: 'header', target: 'header9.xml' }],
  });
  const typesOf = (xml: string) => [...xml.matchAll(/w:type="(\w+)" r:id="rIdTest"/g)].map(([, type]) => type);

  test('a title page gets a header beside the one of the other pages', () => {
    const { xml, part } = marked(
      withHeader(`${paragraph('{name}')}<w:sectPr>${reference('default')}<w:titlePg/></w:sectPr>`),
    );
    expect(typesOf(xml)).toEqual(['first']);
    expect(marks(part('word/header9.xml'))).toBe(2);
  });

  test('a title page that is switched off gets no header', () => {
    const section = `<w:sectPr>${reference('default')}<w:titlePg w:val="0"/></w:sectPr>`;
    expect(typesOf(marked(withHeader(`${paragraph('{name}')}${section}`)).xml)).toEqual([]);
  });

  test('later sections inherit the header, and a section before the first header gets its own', () => {
    const first = '<w:p><w:pPr><w:sectPr/></w:pPr></w:p>';
    const second = `<w:p><w:pPr><w:sectPr>${reference('default')}</w:sectPr></w:pPr></w:p>`;
    const { xml } = marked(withHeader(`${first}${second}${paragraph('{name}')}<w:sectPr/>`));
    expect(typesOf(xml)).toEqual(['default']);
    expect(xml).toMatch(/<w:pPr><w:sectPr><w:headerReference [^>]*\/><\/w:sectPr><\/w:pPr>/);
  });

  test('even pages get a header only if they differ from odd ones', () => {
    const settings = `<w:settings ${word}><w:evenAndOddHeaders/></w:settings>`;
    const section = `<w:sectPr>${reference('default')}</w:sectPr>`;
    const input = withHeader(`${paragraph('{name}')}${section}`);
    const { xml } = marked({
      ...input,
      parts: { ...input.parts, 'word/settings.xml': settings },
      contentTypes: { ...input.contentTypes, 'word/settings.xml': types.word('settings') },
      rels: [...(input.rels ?? []), { id: 'rId91', type: 'settings', target: 'settings.xml' }],
    });
    expect(typesOf(xml)).toEqual(['even']);
  });

  test('a body without sections gets a header', () => {
    expect(marked(main(paragraph('{name}'))).xml).toMatch(/<w:sectPr><w:headerReference .*\/><\/w:sectPr><\/w:body>/);
  });

  test('sections in tracked changes do not change', () => {
    const change = '<w:sectPrChange w:id="1" w:author="a"><w:sectPr><w:titlePg/></w:sectPr></w:sectPrChange>';
    const { xml } = marked(main(`${paragraph('{name}')}<w:sectPr>${change}</w:sectPr>`));
    expect(typesOf(xml)).toEqual(['default']);
    expect(xml).toContain(change);
  });
});

test.each([
  ['1440', '720', '720'],
  ['300', '720', '280'],
  ['0', '720', '0'],
  ['-600', '720', '720'],
])('the top margin %s makes the new header begin at %s as before, or at %s', (top, header, expected) => {
  const margins = `<w:pgMar w:top="${top}" w:header="${header}"/>`;
  const { xml } = marked(main(`${paragraph('{name}')}<w:sectPr>${margins}</w:sectPr>`));
  expect(xml).toContain(`<w:pgMar w:top="${top}" w:header="${expected}"/>`);
});

test('the names of the new part and its relationship are not in use', () => {
  const { xml, part } = marked({
    parts: { 'word/headerTest.xml': `<w:hdr ${word}>${paragraph('mine')}</w:hdr>` },
    contentTypes: { 'word/headerTest.xml': types.word('header') },
    rels: [{ id: 'RIDTEST', type: 'header', target: 'headerTest.xml' }],
  });
  expect(xml).toContain('r:id="rIdTest2"');
  expect(marks(part('word/headerTest2.xml'))).toBe(2);
});

test('equal requests give equal bytes', () => {
  expect(marked({}).file.equals(marked({}).file)).toBe(true);
});
