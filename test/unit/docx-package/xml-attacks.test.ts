import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx, docxParts, paragraph } from '../../support/docx-builder.ts';
import { rawEntries, rawZip } from './raw-zip.ts';
import { messagesOf, refusalsOf } from './refusal-of.ts';

const doctype = '<!DOCTYPE x SYSTEM "file:///etc/hosts">';
const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${Array.from({ length: 8 }, (_, i) => `<!ENTITY b${i} "&a;&a;&a;">`).join('')}]>`;
const svgNs = 'xmlns="http://www.w3.org/2000/svg"';
const utf16 = (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le');
const utf16be = (xml: string) => utf16(xml).swap16();

function withPart(name: string, content: string | Uint8Array): Buffer {
  return buildDocx({ parts: { [name]: content }, contentTypes: { svg: 'image/svg+xml' } });
}

function withBody(body: string): Buffer {
  return buildDocx({ body });
}

function nestedTables(depth: number): string {
  const open = '<w:tbl><w:tr><w:tc>';
  return `${open.repeat(depth)}<w:p/>${'<w:p/></w:tc></w:tr></w:tbl>'.repeat(depth)}`;
}

describe('XML that attacks its reader is refused, with the part at fault', () => {
  const dtd = /document type definition/;
  const cases: [string, string, () => Uint8Array, RegExp][] = [
    ['DTD in the body', 'word/document.xml', () => withPart('word/document.xml', `${doctype}<x/>`), dtd],
    ['entities in the body', 'word/document.xml', () => withPart('word/document.xml', `${laughs}<x>&b7;</x>`), dtd],
    ['DTD in UTF-16', 'word/document.xml', () => withPart('word/document.xml', utf16(`${doctype}<x/>`)), dtd],
    ['DTD in big-endian UTF-16', 'word/a.xml', () => withPart('word/a.xml', utf16be(`${doctype}<x/>`)), dtd],
    [
      'DTD in UTF-16 without a mark',
      'word/a.xml',
      () => withPart('word/a.xml', utf16(`${doctype}<x/>`).subarray(2)),
      dtd,
    ],
    ['DTD after a mark', 'word/styles.xml', () => withPart('word/styles.xml', `\ufeff${doctype}<x/>`), dtd],
    [
      'DTD in the content types',
      '[Content_Types].xml',
      () => withPart('[Content_Types].xml', `${doctype}<Types/>`),
      dtd,
    ],
    [
      'DTD in relationships',
      'word/_rels/document.xml.rels',
      () => withPart('word/_rels/document.xml.rels', `${doctype}<x/>`),
      dtd,
    ],
    ['DTD in a data store', 'customXml/item1.xml', () => withPart('customXml/item1.xml', `${doctype}<x/>`), dtd],
    ['DTD in an SVG', 'word/media/a.svg', () => withPart('word/media/a.svg', `${laughs}<svg ${svgNs}>&b7;</svg>`), dtd],
    [
      'entities in an SVG named .png',
      'word/media/a.png',
      () => withPart('word/media/a.png', `${laughs}<svg ${svgNs}/>`),
      dtd,
    ],
    [
      'the same in UTF-16',
      'word/media/a.png',
      () => withPart('word/media/a.png', utf16(`${laughs}<svg ${svgNs}/>`)),
      dtd,
    ],
    [
      'the same gzipped',
      'word/media/a.emf',
      () => withPart('word/media/a.emf', gzipSync(`${laughs}<svg ${svgNs}/>`)),
      dtd,
    ],
    [
      'the same after blanks',
      'word/media/a.png',
      () => withPart('word/media/a.png', `${' '.repeat(300)}${laughs}<svg ${svgNs}/>`),
      dtd,
    ],
    [
      'gzip bomb as a picture',
      'word/media/a.wmz',
      () => withPart('word/media/a.wmz', gzipSync(Buffer.alloc(51_000_000))),
      /more than a part may hold/,
    ],
    [
      'an undefined entity',
      'word/document.xml',
      () => withPart('word/document.xml', '<x>&b;</x>'),
      /not well-formed XML: undefined entity/,
    ],
    ['an unclosed element', 'word/a.xml', () => withPart('word/a.xml', '<x><y></x>'), /not well-formed/],
    ['an undeclared prefix', 'word/a.xml', () => withPart('word/a.xml', '<x><q:y/></x>'), /prefix "q" is not declared/],
    [
      'a prefix out of its scope',
      'word/a.xml',
      () => withPart('word/a.xml', '<x><q:y xmlns:q="u"/><q:y/></x>'),
      /prefix "q" is not declared/,
    ],
    [
      'an undeclared attribute prefix',
      'word/a.xml',
      () => withPart('word/a.xml', '<x q:y="1"/>'),
      /prefix "q" is not declared/,
    ],
    [
      'bytes that are not UTF-8',
      'word/a.xml',
      () => withPart('word/a.xml', Buffer.from('<x>\xff\xfe\xfa</x>', 'latin1')),
      /not valid UTF-8/,
    ],
    [
      'an encoding that hides tags',
      'word/a.xml',
      () => withPart('word/a.xml', '<?xml version="1.0" encoding="UTF-7"?>+ADw-x/+AD4-'),
      /cannot be read as utf-7/,
    ],
    ['100 000 levels in the content types', '[Content_Types].xml', () => withDeepContentTypes(), /more than 256 deep/],
    [
      '257 levels',
      'word/a.xml',
      () => withPart('word/a.xml', '<x>'.repeat(257) + '</x>'.repeat(257)),
      /more than 256 deep/,
    ],
    ['31 nested tables', 'word/document.xml', () => withBody(nestedTables(31)), /tables more than 30 deep/],
    ['2000 nested tables', 'word/document.xml', () => withBody(nestedTables(2000)), /deep/],
    [
      'too many elements',
      'word/a.xml',
      () => withPart('word/a.xml', `<x>${'<y/>'.repeat(2_000_001)}</x>`),
      /more XML elements/,
    ],
    [
      'too many attributes',
      'word/a.xml',
      () => withPart('word/a.xml', `<x ${attributes(1001)}/>`),
      /more XML attributes/,
    ],
  ];

  it.each(cases)('%s', (_, part, bytes, expected) => {
    const file = bytes();
    const startMs = performance.now();
    expect(refusalsOf(file)).toEqual([{ message: expect.stringMatching(expected), part }]);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  it('elements are counted over all parts', () => {
    const xml = `<x>${'<y/>'.repeat(1_100_000)}</x>`;
    expect(messagesOf(buildDocx({ parts: { 'word/a.xml': xml, 'word/b.xml': xml } }))).toMatch(/more XML elements/);
  });

  it('every faulty part is named at once', () => {
    const parts = { 'word/a.xml': '<x>', 'word/b.xml': '<y>', 'word/styles.xml': '<z>' };
    expect(refusalsOf(buildDocx({ parts })).map(({ part }) => part)).toEqual([
      'word/styles.xml',
      'word/a.xml',
      'word/b.xml',
    ]);
  });

  it('a part whose bytes are damaged is named as well', () => {
    const entries = rawEntries(docxParts()).map((entry) =>
      entry.name === 'word/styles.xml' ? { ...entry, crc: 7 } : entry,
    );
    expect(refusalsOf(rawZip(entries))).toEqual([
      { message: expect.stringMatching(/checksum/), part: 'word/styles.xml' },
    ]);
  });
});

describe('unusual but honest XML is accepted', () => {
  const plainSvg = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
  const emf = Buffer.concat([
    Buffer.from('010000006c000000', 'hex'),
    Buffer.alloc(32),
    Buffer.from(' EMF'),
    Buffer.alloc(80),
  ]);
  const cases: [string, () => Uint8Array][] = [
    ['UTF-16 parts', () => withPart('word/a.xml', utf16('<?xml version="1.0" encoding="UTF-16"?><x>é</x>'))],
    [
      'a part in Windows-1252',
      () => withPart('word/a.xml', Buffer.from('<?xml version="1.0" encoding="windows-1252"?><x>\xe9</x>', 'latin1')),
    ],
    [
      'a UTF-8 part that claims UTF-16',
      () => withPart('customXml/item1.xml', '<?xml version="1.0" encoding="utf-16"?><x>é</x>'),
    ],
    ['256 levels', () => withPart('word/a.xml', '<x>'.repeat(256) + '</x>'.repeat(256))],
    ['many tables one after the other', () => withBody(nestedTables(2).repeat(40))],
    ['30 nested tables', () => withBody(nestedTables(30))],
    ['an empty data store', () => withPart('customXml/item1.xml', '')],
    ['text that mentions a DTD', () => withBody(paragraph('<!DOCTYPE html> and <!ENTITY'))],
    ['a metafile', () => withPart('word/media/a.emf', emf)],
    ['a gzipped metafile', () => withPart('word/media/a.emz', gzipSync(emf))],
    ['a broken gzipped metafile', () => withPart('word/media/a.emz', gzipSync(emf).subarray(0, 20))],
    [
      'an SVG with the standard document type',
      () => withPart('word/media/a.svg', `<?xml version="1.0"?>${plainSvg}<svg ${svgNs}/>`),
    ],
    [
      'an HTML chunk with an HTML document type',
      () => withPart('word/afchunk.htm', `<!DOCTYPE html [x]><p><svg/>&nbsp;`),
    ],
    ['a part without a content type', () => withPart('word/unknown.dat', 'data')],
    [
      'alternate content',
      () => withBody('<mc:AlternateContent><mc:Choice Requires="wps"><w:p/></mc:Choice></mc:AlternateContent>'),
    ],
    ['a wide table', () => withBody(`<w:tbl>${'<w:tr><w:tc><w:p/></w:tc></w:tr>'.repeat(20_000)}</w:tbl>`)],
  ];

  it.each(cases)('%s', (_, bytes) => {
    expect(refusalsOf(bytes())).toEqual([]);
  });
});

describe('text', () => {
  const read = (content: Uint8Array) =>
    openPackage(buildDocx({ parts: { 'word/a.xml': content } })).readText('word/a.xml');
  const expected = '<?xml version="1.0" encoding="UTF-8"?><x>é€</x>';

  it.each([
    ['UTF-8', Buffer.from(expected)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${expected}`)],
    ['UTF-16', utf16(expected.replace('UTF-8', 'UTF-16'))],
    ['big-endian UTF-16', utf16be(expected.replace('UTF-8', 'utf-16'))],
    ['UTF-8 that claims UTF-16', Buffer.from(expected.replace('UTF-8', 'UTF-16'))],
    ['Windows-1252', Buffer.from(expected.replace('UTF-8', 'windows-1252').replace('é€', '\xe9\x80'), 'latin1')],
  ])('in %s is read as the same UTF-8 text', (_, content) => {
    expect(read(content)).toBe(expected);
  });
});

function attributes(count: number): string {
  return Array.from({ length: count }, (_, i) => `a${i}=""`).join(' ');
}

function withDeepContentTypes(): Buffer {
  const parts = docxParts();
  const types = String(parts.get('[Content_Types].xml'));
  const deep = types.replace('</Types>', `${'<x>'.repeat(100_000)}${'</x>'.repeat(100_000)}</Types>`);
  return buildDocx({ parts: { '[Content_Types].xml': deep } });
}
