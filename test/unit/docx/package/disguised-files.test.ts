import { describe, expect, it } from 'vitest';
import {
  buildDocx,
  buildZip,
  contentTypesXml,
  docxParts,
  relationshipsXml,
} from '../../../support/documents/docx-builder.ts';
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

  it('may be Strict Open XML', () => {
    const type = 'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument';
    const rels = relationshipsXml([{ id: 'a', type, target: 'word/document.xml' }]);
    const xml = '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body/></w:document>';
    expect(messagesOf(buildDocx({ parts: { '_rels/.rels': rels, 'word/document.xml': xml } }))).toBe('');
  });
});
