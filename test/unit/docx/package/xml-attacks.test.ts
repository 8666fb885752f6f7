import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, docxParts, paragraph } from '../../../support/documents/docx-builder.ts';
import { rawEntries, rawZip } from './raw-zip.ts';
import { messagesOf, refusalsOf } from './refusal-of.ts';
import { nestedTables, svgNs, utf16, utf16be, withBody, withPart, xmlAttacks } from './xml-attacks.ts';

describe('XML that attacks its reader is refused, with the part at fault', () => {
  it.each(xmlAttacks)('%s', (_, part, bytes, expected) => {
    const file = bytes();
    expect(refusalsOf(file)).toEqual([{ message: expect.stringMatching(expected), part }]);
  });

  it('elements are counted over all parts', () => {
    const xml = `<x>${'<y/>'.repeat(1_100_000)}</x>`;
    expect(messagesOf(buildDocx({ parts: { 'word/a.xml': xml, 'word/b.xml': xml } }))).toMatch(/more XML elements/);
  });

  it('one error names all faulty parts', () => {
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

describe('unusual but harmless XML is accepted', () => {
  const plainSvg = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
  const emf = Buffer.from(`010000006c000000${'00'.repeat(32)}20454d46${'00'.repeat(80)}`, 'hex');
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><x>é</x>`;
  const alternate = '<mc:AlternateContent><mc:Choice Requires="wps"><w:p/></mc:Choice></mc:AlternateContent>';

  it.each<[string, () => Uint8Array]>([
    ['UTF-16 parts', () => withPart('word/a.xml', utf16(declared('UTF-16')))],
    ['a part in Windows-1252', () => withPart('word/a.xml', Buffer.from(declared('windows-1252'), 'latin1'))],
    ['a UTF-8 part that claims UTF-16', () => withPart('customXml/item1.xml', declared('utf-16'))],
    ['256 levels', () => withPart('word/a.xml', '<x>'.repeat(256) + '</x>'.repeat(256))],
    ['many tables one after the other', () => withBody(nestedTables(2).repeat(40))],
    ['30 nested tables', () => withBody(nestedTables(30))],
    ['an empty data store', () => withPart('customXml/item1.xml', '')],
    ['text that mentions a DTD', () => withBody(paragraph('<!DOCTYPE html> and <!ENTITY'))],
    ['a metafile', () => withPart('word/media/a.emf', emf)],
    ['a gzipped metafile', () => withPart('word/media/a.emz', gzipSync(emf))],
    ['a broken gzipped metafile', () => withPart('word/media/a.emz', gzipSync(emf).subarray(0, 20))],
    [
      'an SVG with the standard type',
      () => withPart('word/media/a.svg', `<?xml version="1.0"?>${plainSvg}<svg ${svgNs}/>`),
    ],
    ['an HTML chunk with its type', () => withPart('word/afchunk.htm', `<!DOCTYPE html [x]><p><svg/>&nbsp;`)],
    ['a part without a content type', () => withPart('word/unknown.dat', 'data')],
    ['alternate content', () => withBody(alternate)],
    ['a wide table', () => withBody(`<w:tbl>${'<w:tr><w:tc><w:p/></w:tc></w:tr>'.repeat(20_000)}</w:tbl>`)],
  ])('%s', (_, bytes) => {
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
  ])('is the same UTF-8 text when read from %s', (_, content) => {
    expect(read(content)).toBe(expected);
  });
});
