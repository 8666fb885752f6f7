import { describe, expect, it } from 'vitest';
import { namespaces, paragraph, relationshipsXml } from '../../support/docx-builder.ts';
import { clean, host } from './clean.ts';

const header = `<w:hdr ${namespaces}><w:p><w:fldSimple w:instr=' INCLUDEPICTURE "${host}" '><w:r><w:t>last result</w:t></w:r></w:fldSimple></w:p></w:hdr>`;
const headerType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml';
const ebcdic = Buffer.from('4c6fa79493406583', 'hex');
const ucs4 = Buffer.from([...header].flatMap((char) => [0, 0, 0, char.charCodeAt(0)]));

/** A document whose header is the part `name`, by its relationship; LibreOffice asks for nothing else. */
function withHeader(name: string, content: string | Uint8Array, contentType: string): ReturnType<typeof clean> {
  return clean({
    body: `${paragraph('visible')}<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="rX"/></w:sectPr></w:pPr></w:p>`,
    rels: [{ id: 'rX', type: 'header', target: `/${name}` }],
    parts: { [name]: content },
    contentTypes: { [name]: contentType },
  });
}

describe('a header in disguise', () => {
  it.each([
    ['customXml/item1.xml', headerType],
    ['customXml/item1.xml', 'application/xml'],
    ['docProps/app.xml', headerType],
  ])('is cleaned where data is kept: %s as %s', (name, contentType) => {
    const { codes, docx } = withHeader(name, header, contentType);
    expect(codes).toEqual(['outside_field']);
    expect(docx.readText(name)).toContain('last result');
  });

  it.each<[string, string | Uint8Array]>([
    ['plain', header],
    ['after blanks', `${' '.repeat(200)}${header}`],
    ['after a byte order mark', `\ufeff${header}`],
    ['that speaks of svg', header.replace('<w:p>', '<!-- svg --><w:p>')],
    ['in UTF-16', Buffer.from(header, 'utf16le')],
    ['in four bytes a character', ucs4],
    ['in EBCDIC', ebcdic],
  ])('is left out when it is called a picture or nothing at all: %s', (_, content) => {
    for (const [name, type] of [
      ['word/media/a.png', 'image/png'],
      ['word/h.bin', 'application/octet-stream'],
    ] as const) {
      const { codes, docx, body } = withHeader(name, content, type);
      expect(codes, name).toEqual(['unsafe_picture']);
      expect(docx.partNames).not.toContain(name);
      expect(body).not.toContain('r:id');
    }
  });
});

describe('what is no disguise stays', () => {
  it('data that looks like a link, in a store of data', () => {
    const item = '<item href="file:///etc/hosts"/>';
    const { codes, docx } = clean({
      parts: {
        'customXml/item1.xml': item,
        'customXml/_rels/item1.xml.rels': relationshipsXml([
          { id: 'r1', type: 'customXmlProps', target: 'itemProps1.xml' },
        ]),
        'customXml/itemProps1.xml': '<props src="file:///etc/hosts"/>',
      },
      rels: [{ id: 'rD', type: 'customXml', target: '../customXml/item1.xml' }],
    });
    expect(codes).toEqual([]);
    expect(docx.readText('customXml/item1.xml')).toBe(item);
  });

  it.each([
    ['zeros', Buffer.alloc(5_000)],
    ['a dark picture without a signature', Buffer.from(`0000${'02'}${'00'.repeat(200)}3c3c3c`, 'hex')],
    ['nothing', new Uint8Array()],
  ])('binary parts: %s', (_, content) => {
    const { codes, docx } = clean({ parts: { 'word/media/a.tga': content }, contentTypes: { tga: 'image/x-tga' } });
    expect(codes).toEqual([]);
    expect(docx.partNames).toContain('word/media/a.tga');
  });
});

describe('a header that calls itself one', () => {
  it.each<[string, Uint8Array]>([
    ['in four bytes a character', ucs4],
    ['in EBCDIC', ebcdic],
  ])('is refused when only LibreOffice could read it: %s', (_, content) => {
    expect(() => withHeader('word/header9.xml', content, headerType)).toThrow(/valid|UTF-8|read/);
  });
});
