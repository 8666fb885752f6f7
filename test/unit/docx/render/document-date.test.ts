import { describe, expect, it } from 'vitest';
import { type DocxPackage, openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';

const documentDate = '2026-03-31T14:30:05.000Z';
const namespaces =
  'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const type = 'application/vnd.openxmlformats-package.core-properties+xml';
const relationship =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>';

function render(input: DocxInput, target: 'docx' | 'pdf' = 'docx', options = {}): DocxPackage {
  const body = `${input.body ?? ''}${paragraph('{name}')}`;
  const template = prepareTemplate(buildDocx({ ...input, body }), target);
  return openPackage(renderTemplate(template, Buffer.from('{"name":"Ada"}'), { documentDate, ...options }).file);
}

function withProperties(xml: string): DocxInput {
  return {
    body: paragraph('{name}'),
    parts: { 'docProps/core.xml': xml, '_rels/.rels': relationship },
    contentTypes: { 'docProps/core.xml': type },
  };
}

const written = '2026-03-31T14:30:05Z';

describe('the date of a document in its properties', () => {
  it('replaces the dates of the template', () => {
    const date = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">2001-02-03T04:05:06Z</dcterms:${name}>`;
    const docx = render(
      withProperties(
        `<cp:coreProperties ${namespaces}><cp:lastPrinted>2001-02-03T04:05:06Z</cp:lastPrinted>${date('created')}${date('modified')}</cp:coreProperties>`,
      ),
    );
    const xml = docx.readText('docProps/core.xml') ?? '';
    expect(xml).toContain(`<dcterms:created xsi:type="dcterms:W3CDTF">${written}</dcterms:created>`);
    expect(xml).toContain(`<dcterms:modified xsi:type="dcterms:W3CDTF">${written}</dcterms:modified>`);
    expect(xml).toContain(`<cp:lastPrinted>${written}</cp:lastPrinted>`);
    expect(xml).not.toContain('2001-02');
  });

  it.each([
    ['no dates', ''],
    ['empty dates', '<dcterms:created/><dcterms:modified xsi:type="dcterms:W3CDTF"/>'],
  ])('adds them to properties with %s', (_title, content) => {
    for (const target of ['docx', 'pdf'] as const) {
      const docx = render(withProperties(`<cp:coreProperties ${namespaces}>${content}</cp:coreProperties>`), target);
      const xml = docx.readText('docProps/core.xml') ?? '';
      for (const name of ['created', 'modified']) {
        expect(xml.match(new RegExp(`<dcterms:${name}[ >/]`, 'g')), target).toHaveLength(1);
        expect(xml).toMatch(new RegExp(`<dcterms:${name} [^>]*xsi:type="dcterms:W3CDTF"[^>]*>${written}</`));
      }
    }
  });

  it('adds properties to a package without any', () => {
    const docx = render({ body: paragraph('{name}') });
    expect(docx.readText('docProps/core.xml')).toContain(written);
    expect(docx.contentType('docProps/core.xml')).toBe(type);
    expect(docx.readText('_rels/.rels')).toContain('Target="docProps/core.xml"');
  });

  it('leaves the properties alone without a date', () => {
    const template = prepareTemplate(buildDocx({ body: paragraph('{name}') }), 'docx');
    expect(openPackage(renderTemplate(template, Buffer.from('{}')).file).entry('docProps/core.xml')).toBeUndefined();
  });
});

describe('what a converter gets', () => {
  const instruction = (text: string) => {
    const mark = (kind: string) => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
    const pieces = text
      .split('|')
      .map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`);
    return `<w:p>${mark('begin')}${pieces.join('')}${mark('separate')}<w:r><w:t>old</w:t></w:r>${mark('end')}</w:p>`;
  };
  const instructionsOf = (docx: DocxPackage) =>
    [...(docx.readText('word/document.xml') ?? '').matchAll(/<w:instrText[^>]*>([^<]*)</g)]
      .map(([, text]) => text)
      .join('');

  it.each([
    [' SAVEDATE \\@ "d MMM" ', ' DATE \\@ &quot;d MMM&quot; '],
    [' createdate ', ' DATE \\@ &quot;M/d/yyyy h:mm:ss AM/PM&quot;  '],
    [' PRINT|DATE \\@ yyyy \\* MERGEFORMAT ', ' DATE \\@ yyyy \\* MERGEFORMAT '],
    [' DOCPROPERTY "LastSavedTime" \\@ "HH:mm" ', ' DATE \\@ &quot;HH:mm&quot; '],
    [' INFO CreateDate ', ' DATE \\@ &quot;M/d/yyyy h:mm:ss AM/PM&quot;  '],
  ])('shows the date of the document in a field %s', (text, expected) => {
    expect(instructionsOf(render({ body: instruction(text) }, 'pdf'))).toBe(expected);
    const simple = `<w:p><w:fldSimple w:instr="${text.replace('|', '').replaceAll('"', '&quot;')}"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>`;
    expect(render({ body: simple }, 'pdf').readText('word/document.xml')).toContain(`w:instr="${expected}"`);
    // A .docx keeps its fields: Word fills them.
    expect(instructionsOf(render({ body: instruction(text) }))).toBe(text.replace('|', ''));
  });

  it.each([' DATE \\@ "d MMM" ', ' DOCPROPERTY Savedates ', ' SEQ SAVEDATE ', ' CREATEDATES '])(
    'keeps a field %s',
    (text) => {
      expect(instructionsOf(render({ body: instruction(text) }, 'pdf'))).toBe(text);
    },
  );

  it('has authors of tracked changes numbered in the order in which they appear', () => {
    const change = (author: string) => `<w:ins w:id="1" w:author="${author}"><w:r><w:t>x</w:t></w:r></w:ins>`;
    const authors = ['Zoe', 'Bob', 'Zoe', ...Array.from({ length: 9 }, (_, i) => `a${i}`)];
    const input = {
      headers: [`<w:p>${change('Hal')}${change('Bob')}</w:p>`],
      body: `<w:p>${authors.map(change).join('')}</w:p>`,
    };
    const authorsOf = (docx: DocxPackage, part: string) =>
      [...(docx.readText(part) ?? '').matchAll(/w:author="([^"]*)"/g)].map(([, author]) => author).join(' ');
    expect(authorsOf(render(input, 'pdf'), 'word/document.xml')).toBe('1 2 1 3 4 5 6 7 8 9 1 2');
    expect(authorsOf(render(input, 'pdf'), 'word/header1.xml')).toBe('3 2');
    expect(authorsOf(render(input), 'word/header1.xml')).toBe('Hal Bob');
  });
});
