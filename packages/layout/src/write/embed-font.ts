import { deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { addGlyphTexts, withAlphabets } from '../fonts/alphabets.ts';
import type { FontFace } from '../fonts/font-face.ts';
import type { FontSubset, FontSubsetter } from '../fonts/font-subset.ts';
import { postScriptName, requiredTable } from '../fonts/font-tables.ts';
import type { ShapedWord } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type PdfObjects, pdfNumber } from './pdf-objects.ts';

/** The glyphs of a font that a document uses, with their texts. */
export class UsedFont {
  readonly face: FontFace;
  /** The resource name of the font. */
  readonly name: string;
  readonly texts = new Map<number, string>();
  readonly #words = new Set<ShapedWord>();

  constructor(face: FontFace, name: string) {
    this.face = face;
    this.name = name;
  }

  use(word: ShapedWord): void {
    if (this.#words.has(word)) return;
    this.#words.add(word);
    addGlyphTexts(this.texts, word.text, word.glyphs);
  }
}

/** The encoded form of a font with these glyphs. */
interface EncodedFont {
  readonly file: FontSubset;
  /** The PostScript name with the tag of the subset. */
  readonly name: string;
  /** The array `/W`. */
  readonly widths: string;
  /** The deflated map from glyphs to texts. */
  readonly toUnicode: Buffer;
}

const mostKept = 20;
/** Keyed by glyphs and texts, which are the same for most documents of a template. */
const encoded = new WeakMap<FontFace, LRUCache<string, EncodedFont>>();

/**
 * Embeds a font as a composite font that uses the glyph ids of its file (ISO 32000-1, 9.7). Returns its object number.
 */
export function embedFont(objects: PdfObjects, { face, texts }: UsedFont, subsetter: FontSubsetter): number {
  const kept = encoded.get(face) ?? new LRUCache<string, EncodedFont>({ max: mostKept });
  encoded.set(face, kept);
  const all = [...withAlphabets(face, texts)];
  const key = all.join('\n');
  const font = kept.get(key) ?? encodeFont(face, all, subsetter);
  kept.set(key, font);
  const { file, name, widths } = font;
  const fontFile = objects.addStream(`/Filter /FlateDecode /Length1 ${file.length}`, file.deflated, true);
  const descriptor = objects.add(
    `<</Type /FontDescriptor /FontName /${name} ${describe(face)} /FontFile2 ${fontFile} 0 R>>`,
  );
  const descendant = objects.add(
    `<</Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) ` +
      `/Supplement 0>> /FontDescriptor ${descriptor} 0 R /DW 0 /W ${widths} /CIDToGIDMap /Identity>>`,
  );
  const toUnicode = objects.addStream('/Filter /FlateDecode', font.toUnicode, true);
  return objects.add(
    `<</Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] ` +
      `/ToUnicode ${toUnicode} 0 R>>`,
  );
}

function encodeFont(
  face: FontFace,
  texts: readonly (readonly [number, string])[],
  subsetter: FontSubsetter,
): EncodedFont {
  const glyphs = texts.map(([glyph]) => glyph);
  const scale = 1000 / face.unitsPerEm;
  // LibreOffice truncates widths to whole thousandths.
  const widths = glyphs.map((glyph) => `${glyph} [${Math.floor(face.advanceOf(glyph) * scale)}]`).join(' ');
  return {
    file: subsetter.subset(face.bytes, glyphs),
    name: `${subsetTag(glyphs)}+${postScriptName(face)}`,
    widths: `[${widths}]`,
    toUnicode: deflateSync(Buffer.from(toUnicodeMap(texts), 'latin1')),
  };
}

const descriptions = new WeakMap<FontFace, string>();

function describe(face: FontFace): string {
  const known = descriptions.get(face) ?? readDescription(face);
  descriptions.set(face, known);
  return known;
}

/** The values of a font descriptor (9.8), read from the tables of the font. */
function readDescription(face: FontFace): string {
  const head = requiredTable(face, 'head', 54);
  const os2 = requiredTable(face, 'OS/2', 78);
  const post = requiredTable(face, 'post', 32);
  if (face.table('glyf') === undefined) throw new UnknownFeature('a font without TrueType outlines');
  const scale = 1000 / face.unitsPerEm;
  const scaled = (units: number): number => Math.round(units * scale);
  const box = [36, 38, 40, 42].map((at) => scaled(head.getInt16(at)));
  const angle = post.getInt32(4) / 65_536;
  const capHeight = os2.getUint16(0) >= 2 && os2.byteLength >= 90 ? os2.getInt16(88) : face.ascent;
  const [isItalic, isFixed] = [angle !== 0, post.getUint32(12) !== 0];
  const flags = 4 | (isItalic ? 64 : 0) | (isFixed ? 1 : 0);
  const stem = os2.getUint16(4) >= 600 ? 140 : 80;
  return (
    `/Flags ${flags} /FontBBox [${box.join(' ')}] /ItalicAngle ${pdfNumber(angle)} /Ascent ${scaled(os2.getUint16(74))} ` +
    `/Descent ${-scaled(os2.getUint16(76))} /CapHeight ${scaled(capHeight)} /StemV ${stem}`
  );
}

/** The six-letter tag of a subset (9.6.4), derived from its glyphs. */
function subsetTag(glyphs: readonly number[]): string {
  let hash = 0x811c9dc5;
  for (const glyph of glyphs) hash = Math.imul(hash ^ glyph, 0x01000193) >>> 0;
  let tag = '';
  for (let at = 0; at < 6; at++) {
    tag += String.fromCharCode(0x41 + (hash % 26));
    hash = Math.floor(hash / 26) + at * 7919;
  }
  return tag;
}

const mostMappings = 100;

/** The ToUnicode CMap, with the text of each glyph (9.10.3). */
function toUnicodeMap(texts: readonly (readonly [number, string])[]): string {
  const lines: string[] = [];
  for (let at = 0; at < texts.length; at += mostMappings) {
    const some = texts.slice(at, at + mostMappings);
    lines.push(`${some.length} beginbfchar`);
    for (const [glyph, text] of some) {
      const codes = Buffer.from(text, 'utf16le').swap16().toString('hex');
      lines.push(`<${glyph.toString(16).padStart(4, '0')}> <${codes}>`);
    }
    lines.push('endbfchar');
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...lines,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}
