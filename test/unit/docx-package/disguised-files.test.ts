import { describe, expect, it } from 'vitest';
import { buildDocx, buildZip, contentTypesXml, docxParts, relationshipsXml } from '../../support/docx-builder.ts';
import { messagesOf } from './refusal-of.ts';

const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

function compound(stream: string): Buffer {
  return Buffer.concat([ole, Buffer.alloc(1000), Buffer.from(stream, 'utf16le'), Buffer.alloc(200)]);
}

function withMainType(type: string): Buffer {
  return buildDocx({ mainContentType: type });
}

function zipOf(files: Record<string, string>): Buffer {
  return buildZip(new Map(Object.entries(files)));
}

function office(main: string, type: string): Buffer {
  return zipOf({
    '[Content_Types].xml': contentTypesXml({ [main]: type }),
    '_rels/.rels': relationshipsXml([{ id: 'r', type: 'officeDocument', target: main }]),
    [main]: '<x/>',
  });
}

describe('a file that is no .docx is refused with what it is', () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['empty', Buffer.alloc(0), /is empty/],
    ['one byte', Buffer.from('P'), /not a Word document/],
    ['legacy .doc', compound('WordDocument'), /old Office format/],
    ['encrypted .docx', compound('EncryptedPackage'), /protected with a password/],
    ['PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj'), /is a PDF/],
    ['PDF with leading junk', Buffer.from('\n\n%PDF-1.4 1 0 obj and more bytes'), /is a PDF/],
    ['RTF', Buffer.from('{\\rtf1\\ansi Hello {name} and some more}'), /Rich Text/],
    ['HTML', Buffer.from('\ufeff<!DOCTYPE html><html><body>{name}</body></html>'), /HTML page/],
    ['HTML after a comment', Buffer.from('<!-- x --><HTML><body>Hello there</body></html>'), /HTML page/],
    ['web archive', Buffer.from('MIME-Version: 1.0\r\nContent-Type: multipart/related'), /web archive/],
    ['Word 2003 or flat XML', Buffer.from('<?xml version="1.0"?><w:wordDocument xmlns:w="u"/>'), /plain XML/],
    ['text', Buffer.from('Dear {name}, this is a plain text file.'), /not a Word document/],
    ['empty zip', Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]), /empty zip/],
    ['only a signature', Buffer.from('504b0304', 'hex'), /damaged or empty zip/],
    ['ordinary zip', zipOf({ 'a.txt': 'hello', 'b/c.txt': 'there' }), /zip archive, but not a Word document/],
    ['docx zipped with its folder', zipOf({ 'doc/[Content_Types].xml': '<Types/>' }), /not a Word document/],
    ['.odt', zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<x/>' }), /OpenDocument/],
    ['.docx that is an .odt as well', buildZip(new Map([['mimetype', 'x'], ...docxParts()])), /OpenDocument/],
    [
      '.xlsx',
      office('xl/workbook.xml', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'),
      /Excel/,
    ],
    [
      '.pptx',
      office(
        'ppt/presentation.xml',
        'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
      ),
      /PowerPoint/,
    ],
    ['.docm', withMainType('application/vnd.ms-word.document.macroEnabled.main+xml'), /\.docm/],
    ['.dotm', withMainType('application/vnd.ms-word.template.macroEnabledTemplate.main+xml'), /\.dotm/],
    ['.dotx', withMainType(`${word}.template.main+xml`), /\.dotx/],
    ['other main type', withMainType('application/xml'), /main part is missing or of another type/],
  ];

  it.each(cases)('%s', (_, bytes, expected) => {
    expect(messagesOf(bytes)).toMatch(expected);
  });
});

describe('the main part', () => {
  const main = `${word}.document.main+xml`;

  it('must be named by the package relationships', () => {
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': relationshipsXml([]) } }))).toMatch(/main part is missing/);
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': null } }))).toMatch(/not a Word document/);
    expect(messagesOf(buildDocx({ parts: { 'word/document.xml': null } }))).toMatch(/main part is missing/);
    expect(messagesOf(buildDocx({ parts: { '[Content_Types].xml': null } }))).toMatch(/not a Word document/);
  });

  it('must be one', () => {
    const rels = ['word/document.xml', 'word/other.xml'].map((target, i) => ({
      id: `r${i}`,
      type: 'officeDocument',
      target,
    }));
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': relationshipsXml(rels) } }))).toMatch(/more than one main/);
    const second = buildDocx({ parts: { 'word/other.xml': '<x/>' }, contentTypes: { 'word/other.xml': main } });
    expect(messagesOf(second)).toMatch(/more than one main/);
  });

  it('must be a Word document inside', () => {
    const html = '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>';
    expect(messagesOf(buildDocx({ parts: { 'word/document.xml': html } }))).toMatch(/main part is not a Word document/);
    expect(messagesOf(buildDocx({ parts: { 'word/document.xml': '' } }))).toMatch(/not well-formed/);
  });

  it('may have any name, case and address form', () => {
    const parts = docxParts();
    const document = parts.get('word/document.xml') ?? '';
    const renamed = new Map([
      ['[content_types].XML', contentTypesXml({ 'Word/Document2.xml': main })],
      ['_rels/.rels', relationshipsXml([{ id: 'a', type: 'officeDocument', target: '/word/document2.xml' }])],
      ['word/document2.XML', document],
    ]);
    expect(messagesOf(buildZip(renamed))).toBe('');
  });

  it('may be of the strict kind', () => {
    const type = 'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument';
    const rels = relationshipsXml([{ id: 'a', type, target: 'word/document.xml' }]);
    const xml = '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body/></w:document>';
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': rels, 'word/document.xml': xml } }))).toBe('');
  });
});
