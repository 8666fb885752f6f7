import {
  buildDocx,
  buildZip,
  contentTypesXml,
  docxParts,
  relationshipsXml,
} from '../../../support/documents/docx-builder.ts';

const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');
export const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

function compound(stream: string): Buffer {
  return Buffer.concat([ole, Buffer.alloc(1000), Buffer.from(stream, 'utf16le'), Buffer.alloc(200)]);
}

const withMainType = (mainContentType: string): Buffer => buildDocx({ mainContentType });
const zipOf = (files: Record<string, string>): Buffer => buildZip(new Map(Object.entries(files)));

function office(main: string, kind: string): Buffer {
  const type = `application/vnd.openxmlformats-officedocument.${kind}.main+xml`;
  return zipOf({
    '[Content_Types].xml': contentTypesXml({ [main]: type }),
    '_rels/.rels': relationshipsXml([{ id: 'r', type: 'officeDocument', target: main }]),
    [main]: '<x/>',
  });
}

/** Files that are not .docx, each with its kind and the expected error. */
export const disguisedFiles: readonly (readonly [string, Uint8Array, RegExp])[] = [
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
  ['.xlsx', office('xl/workbook.xml', 'spreadsheetml.sheet'), /Excel/],
  ['.pptx', office('ppt/presentation.xml', 'presentationml.presentation'), /PowerPoint/],
  ['.docm', withMainType('application/vnd.ms-word.document.macroEnabled.main+xml'), /\.docm/],
  ['other main type', withMainType('application/xml'), /main part is missing or of another type/],
];
