import { gzipSync } from 'node:zlib';
import { buildDocx, docxParts } from '../../../support/documents/docx-builder.ts';

const doctype = '<!DOCTYPE x SYSTEM "file:///etc/hosts">';
const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${Array.from({ length: 8 }, (_, i) => `<!ENTITY b${i} "&a;&a;&a;">`).join('')}]>`;
export const svgNs = 'xmlns="http://www.w3.org/2000/svg"';
export const utf16 = (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le');
export const utf16be = (xml: string) => utf16(xml).swap16();

export function withPart(name: string, content: string | Uint8Array): Buffer {
  return buildDocx({ parts: { [name]: content }, contentTypes: { svg: 'image/svg+xml' } });
}

export function withBody(body: string): Buffer {
  return buildDocx({ body });
}

export function nestedTables(depth: number): string {
  const open = '<w:tbl><w:tr><w:tc>';
  return `${open.repeat(depth)}<w:p/>${'<w:p/></w:tc></w:tr></w:tbl>'.repeat(depth)}`;
}

const dtd = /document type definition/;
const main = 'word/document.xml';
const svg = `<svg ${svgNs}/>`;
type Attack = readonly [attack: string, part: string, bytes: () => Uint8Array, message: RegExp];

/** An attack that is the whole content of its part. */
const inPart = (attack: string, part: string, content: string | Uint8Array, message = dtd): Attack => [
  attack,
  part,
  () => withPart(part, content),
  message,
];

/** XML that attacks its reader, each as the attack, the part at fault, the file and the expected error. */
export const xmlAttacks: readonly Attack[] = [
  inPart('DTD in the body', main, `${doctype}<x/>`),
  inPart('entities in the body', main, `${laughs}<x>&b7;</x>`),
  inPart('DTD in UTF-16', main, utf16(`${doctype}<x/>`)),
  inPart('DTD in big-endian UTF-16', 'word/a.xml', utf16be(`${doctype}<x/>`)),
  inPart('DTD in UTF-16 without a mark', 'word/a.xml', utf16(`${doctype}<x/>`).subarray(2)),
  inPart('DTD after a mark', 'word/styles.xml', `\ufeff${doctype}<x/>`),
  inPart('DTD in the content types', '[Content_Types].xml', `${doctype}<Types/>`),
  inPart('DTD in relationships', 'word/_rels/document.xml.rels', `${doctype}<x/>`),
  inPart('DTD in a data store', 'customXml/item1.xml', `${doctype}<x/>`),
  inPart('DTD in an SVG', 'word/media/a.svg', `${laughs}<svg ${svgNs}>&b7;</svg>`),
  inPart('entities in an SVG named .png', 'word/media/a.png', laughs + svg),
  inPart('the same in UTF-16', 'word/media/a.png', utf16(laughs + svg)),
  inPart('the same gzipped', 'word/media/a.emf', gzipSync(laughs + svg)),
  inPart('the same after blanks', 'word/media/a.png', ' '.repeat(300) + laughs + svg),
  inPart('gzip bomb as a picture', 'word/media/a.wmz', gzipSync(Buffer.alloc(51_000_000)), /more than a part may hold/),
  inPart('an undefined entity', main, '<x>&b;</x>', /not well-formed XML: undefined entity/),
  inPart('an unclosed element', 'word/a.xml', '<x><y></x>', /not well-formed/),
  inPart('an undeclared prefix', 'word/a.xml', '<x><q:y/></x>', /prefix "q" is not declared/),
  inPart('a prefix out of its scope', 'word/a.xml', '<x><q:y xmlns:q="u"/><q:y/></x>', /prefix "q" is not declared/),
  inPart('an undeclared attribute prefix', 'word/a.xml', '<x q:y="1"/>', /prefix "q" is not declared/),
  inPart('bytes that are not UTF-8', 'word/a.xml', Buffer.from('<x>\xff\xfe\xfa</x>', 'latin1'), /not valid UTF-8/),
  inPart(
    'an encoding that hides tags',
    'word/a.xml',
    '<?xml version="1.0" encoding="UTF-7"?>+ADw-x/+AD4-',
    /cannot be read as utf-7/,
  ),
  ['100 000 levels in the content types', '[Content_Types].xml', () => withDeepContentTypes(), /more than 256 deep/],
  inPart('257 levels', 'word/a.xml', '<x>'.repeat(257) + '</x>'.repeat(257), /more than 256 deep/),
  ['31 nested tables', main, () => withBody(nestedTables(31)), /tables more than 30 deep/],
  ['2000 nested tables', main, () => withBody(nestedTables(2000)), /deep/],
  [
    'too many elements',
    'word/a.xml',
    () => withPart('word/a.xml', `<x>${'<y/>'.repeat(2_000_001)}</x>`),
    /more XML elements/,
  ],
  inPart('too many attributes', 'word/a.xml', `<x ${attributes(1001)}/>`, /more XML attributes/),
];

function attributes(count: number): string {
  return Array.from({ length: count }, (_, i) => `a${i}=""`).join(' ');
}

function withDeepContentTypes(): Buffer {
  const parts = docxParts();
  const types = String(parts.get('[Content_Types].xml'));
  const deep = types.replace('</Types>', `${'<x>'.repeat(100_000)}${'</x>'.repeat(100_000)}</Types>`);
  return buildDocx({ parts: { '[Content_Types].xml': deep } });
}
