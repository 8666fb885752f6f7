import { describe, expect, it } from 'vitest';
import { namespaces, paragraph, relationshipsXml } from '../../../support/documents/docx-builder.ts';
import { fieldMark } from '../../../support/documents/field-builder.ts';
import { types } from '../render/fill.ts';
import { clean, host } from './clean.ts';

const header = `<w:hdr ${namespaces}><w:p><w:fldSimple w:instr=' INCLUDEPICTURE "${host}" '><w:r><w:t>last result</w:t></w:r></w:fldSimple></w:p></w:hdr>`;
const headerType = types.word('header');
const ebcdic = Buffer.from('4c6fa79493406583', 'hex');
const ucs4 = Buffer.from([...header].flatMap((char) => [0, 0, 0, char.charCodeAt(0)]));

/** A document with a relationship that declares the part `name` as a header, which is all that LibreOffice checks. */
function withHeader(name: string, content: string | Uint8Array, contentType: string): ReturnType<typeof clean> {
  return clean({
    body: `${paragraph('visible')}<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="rX"/></w:sectPr></w:pPr></w:p>`,
    rels: [{ id: 'rX', type: 'header', target: `/${name}` }],
    parts: { [name]: content },
    contentTypes: { [name]: contentType },
  });
}

describe('a header disguised as another part', () => {
  it.each([
    ['customXml/item1.xml', headerType],
    ['customXml/item1.xml', 'application/xml'],
    ['docProps/app.xml', headerType],
  ])('is cleaned if its content type is one for data: %s as %s', (name, contentType) => {
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
  ])('is removed if it is called a picture or has no content type: %s', (_, content) => {
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

describe('harmless parts are not removed', () => {
  it('data in a data store that looks like a link', () => {
    const props = [{ id: 'r1', type: 'customXmlProps', target: 'itemProps1.xml' }];
    const item = '<item href="file:///etc/hosts"/>';
    const { codes, docx } = clean({
      parts: {
        'customXml/item1.xml': item,
        'customXml/_rels/item1.xml.rels': relationshipsXml(props),
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

it.each<[string, Uint8Array]>([
  ['in four bytes a character', ucs4],
  ['in EBCDIC', ebcdic],
])('a part declared as a header is rejected if only LibreOffice can read it: %s', (_, content) => {
  expect(() => withHeader('word/header9.xml', content, headerType)).toThrow(/valid|UTF-8|read/);
});

describe('a disguised field is disabled', () => {
  const said = (text: string): string => `<w:instrText>${text}</w:instrText>`;
  const field = (instruction: string): string =>
    `<w:p>${fieldMark('begin')}${instruction}${fieldMark('separate')}<w:r><w:t>last result</w:t></w:r>${fieldMark('end')}</w:p>`;
  const [start, rest] = [said(' INCLUDE'), said(`PICTURE "${host}" `)];
  const char = (type: string): string => `<w:fldChar w:fldCharType="${type}"/>`;
  const misplaced = `<w:rPr>${said('X')}</w:rPr>`;
  const either = (choice: string, fallback: string): string =>
    `<mc:AlternateContent><mc:Choice Requires="wps">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;

  it.each([
    ['CDATA', `<w:r>${said(`<![CDATA[ INCLUDEPICTURE "${host}"]]>`)}</w:r>`],
    ['a comment', `<w:r>${said(` INCLUDE<!-- > -->PICTURE "${host}"`)}</w:r>`],
    ['an instruction to others', `<w:r>${said(` INCLUDE<?x y?>PICTURE "${host}"`)}</w:r>`],
    ['an element between', `<w:r>${said(` INCLUDE<w:tab/>PICTURE "${host}"`)}</w:r>`],
    ['what a reader does not choose', `<w:r>${start}${either('', said('X'))}${rest}</w:r>`],
    ['runs a reader does not choose', `<w:r>${start}</w:r>${either('', `<w:r>${said('X')}</w:r>`)}<w:r>${rest}</w:r>`],
    [
      'paragraphs a reader does not choose',
      `<w:r>${start}</w:r></w:p>${either('', `<w:p><w:r>${said('X')}</w:r></w:p>`)}<w:p><w:r>${rest}</w:r>`,
    ],
    ['an end a reader does not choose', `${either('', fieldMark('end'))}<w:r>${start}</w:r><w:r>${rest}</w:r>`],
    ['a separator a reader does not choose', `<w:r>${start}${either('', char('separate'))}${rest}</w:r>`],
    ['text of another language', `<w:r>${start}<z:instrText xmlns:z="urn:z">X</z:instrText>${rest}</w:r>`],
    ['a mark of another language', `<w:r>${start}<z:fldChar xmlns:z="urn:z" z:fldCharType="end"/>${rest}</w:r>`],
    [
      'a type of another language',
      `<w:r>${start}${char('x').replace(' w:', ' xmlns:z="urn:z" z:fldCharType="end" w:')}${rest}</w:r>`,
    ],
    ['text in the wrong place', `<w:r>${misplaced}${start}</w:r><w:r>${misplaced}${rest}</w:r>`],
  ])('a field disguised with %s is disabled', (_, instruction) => {
    const { codes, body } = clean({ body: paragraph('before') + field(instruction) });
    expect([...new Set(codes)]).toEqual(['outside_field']);
    expect(body).toContain('last result');
  });

  it('an unusual, harmless field stays', () => {
    const odd = `<w:r>${said(' IF 1 = 1 ')}${either('<w:pict/>', '')}${said(' "HYPER" "LINK" ')}</w:r>`;
    const box = either(`<w:r><w:t>box</w:t></w:r>`, '');
    const { codes, body } = clean({
      body: field(odd) + field(`<w:r>${said(' NUM')}</w:r>${box}<w:r>${said('PAGES ')}</w:r>`),
    });
    expect(codes).toEqual([]);
    expect(body).toContain('PAGES');
  });

  it('a link that Word has split over runs stays', () => {
    const pieces = [' HYPER', 'LINK ', '"https://example.com"'].map((text) => `<w:r>${said(text)}</w:r>`).join('');
    expect(clean({ body: field(pieces) }).codes).toEqual([]);
  });
});
