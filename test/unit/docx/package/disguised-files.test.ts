import { describe, expect, it } from 'vitest';
import {
  buildDocx,
  buildZip,
  contentTypesXml,
  docxParts,
  paragraph,
  relationshipsXml,
} from '../../../support/documents/docx-builder.ts';
import { inspect, problems, render } from '../render/fill.ts';
import { disguisedFiles, word } from './disguised-files.ts';
import { messagesOf } from './refusal-of.ts';

it.each(disguisedFiles)(
  'a file that is not a .docx is refused, and the error says what it is: %s',
  (_, bytes, expected) => {
    expect(messagesOf(bytes)).toMatch(expected);
    // Within a message between processes, a file may begin at any address, even an odd one.
    const within = Buffer.concat([Buffer.alloc(1), bytes]).subarray(1);
    expect(messagesOf(within)).toMatch(expected);
  },
);

describe('the main part', () => {
  const main = `${word}.document.main+xml`;

  it('must be named by the package relationships', () => {
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': relationshipsXml([]) } }))).toMatch(/main part is missing/);
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': null } }))).toMatch(/not a Word document/);
    expect(messagesOf(buildDocx({ parts: { 'word/document.xml': null } }))).toMatch(/main part is missing/);
    expect(messagesOf(buildDocx({ parts: { '[Content_Types].xml': null } }))).toMatch(/not a Word document/);
  });

  it('must be the only one', () => {
    const targets = ['word/document.xml', 'word/other.xml'];
    const rels = targets.map((target) => ({ id: target, type: 'officeDocument', target }));
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': relationshipsXml(rels) } }))).toMatch(/more than one main/);
    const second = buildDocx({ parts: { 'word/other.xml': '<x/>' }, contentTypes: { 'word/other.xml': main } });
    expect(messagesOf(second)).toMatch(/more than one main/);
  });

  it('must contain a Word document', () => {
    const html = '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>';
    expect(messagesOf(buildDocx({ parts: { 'word/document.xml': html } }))).toMatch(/main part is not a Word document/);
    expect(messagesOf(buildDocx({ parts: { 'word/document.xml': '' } }))).toMatch(/not well-formed/);
  });

  it('may have any name, letter case and style of target', () => {
    const parts = docxParts();
    const document = parts.get('word/document.xml') ?? '';
    const renamed = new Map([
      ['[content_types].XML', contentTypesXml({ 'Word/Document2.xml': main })],
      ['_rels/.rels', relationshipsXml([{ id: 'a', type: 'officeDocument', target: '/word/document2.xml' }])],
      ['word/document2.XML', document],
    ]);
    expect(messagesOf(buildZip(renamed))).toBe('');
  });

  const kinds = {
    dotx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
    dotm: 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
  };

  it('may be a template of Word, whose documents have the type of documents', async () => {
    const template = buildDocx({ body: paragraph('Dear {name}'), mainContentType: kinds.dotx });
    const { docx, text } = render(template, { name: 'Ada' });
    expect([docx.contentType('word/document.xml'), text]).toEqual([main, 'Dear Ada']);
    expect(docx.readText('[Content_Types].xml')).not.toContain('template');
    expect(await problems(template, { name: 'Ada' })).toEqual([]);
    expect(inspect(template).warnings).toEqual([]);
  });

  it('loses its macros if it is a template with macros, and the upload says so', async () => {
    const vba = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject';
    const template = buildDocx({
      body: paragraph('Dear {name}'),
      mainContentType: kinds.dotm,
      parts: { 'word/vbaProject.bin': 'macros' },
      rels: [{ id: 'rIdVba', type: vba, target: 'vbaProject.bin' }],
      contentTypes: { bin: 'application/vnd.ms-office.vbaProject' },
    });
    for (const target of ['docx', 'pdf'] as const) {
      const { docx, text, part } = render(template, { name: 'Ada' }, { target });
      expect(text).toBe('Dear Ada');
      expect(docx.partNames).not.toContain('word/vbaProject.bin');
      expect(part('word/_rels/document.xml.rels')).not.toContain('vbaProject');
    }
    expect(inspect(template).warnings).toMatchObject([{ code: 'macros_removed' }]);
  });

  it('may be one XML file (Flat OPC), with pictures in it', async () => {
    const parts = docxParts({
      body: paragraph('Dear {name}'),
      parts: { 'word/media/a.png': Buffer.from([1, 2, 250]) },
    });
    const types = new Map([
      ['_rels/.rels', 'application/vnd.openxmlformats-package.relationships+xml'],
      ['word/_rels/document.xml.rels', 'application/vnd.openxmlformats-package.relationships+xml'],
      ['word/document.xml', main],
      ['word/styles.xml', 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml'],
    ]);
    const flat = [...parts]
      .filter(([name]) => !name.startsWith('['))
      .map(([name, content]) => {
        const xml = typeof content === 'string' ? content.replace(/^<\?[^>]*\?>\s*/, '') : '';
        const data =
          xml === ''
            ? `<pkg:binaryData>${Buffer.from(content).toString('base64')}</pkg:binaryData>`
            : `<pkg:xmlData>${xml}</pkg:xmlData>`;
        return `<pkg:part pkg:name="/${name}" pkg:contentType="${types.get(name) ?? 'image/png'}">${data}</pkg:part>`;
      });
    const file = Buffer.from(
      `<?xml version="1.0"?><?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">${flat.join('')}</pkg:package>`,
    );
    const { docx, text } = render(file, { name: 'Ada' });
    expect(text).toBe('Dear Ada');
    expect(docx.read('word/media/a.png')).toEqual(Buffer.from([1, 2, 250]));
    expect(inspect(file).tags).toEqual(['name']);
    const twice = Buffer.from(file.toString().replace('</pkg:package>', `${flat[0]}</pkg:package>`));
    expect(messagesOf(twice)).toMatch(/two parts of the same name/);
  });

  it('may be Strict Open XML', () => {
    const type = 'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument';
    const rels = relationshipsXml([{ id: 'a', type, target: 'word/document.xml' }]);
    const xml = '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body/></w:document>';
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': rels, 'word/document.xml': xml } }))).toBe('');
  });
});
