import type { FontFace, Glyph } from './font-face.ts';

/** Groups of characters that usually occur together in a document, including ligatures of fonts. */
const alphabets: readonly (readonly string[])[] = [
  [...' abcdefghijklmnopqrstuvwxyz,.:-', 'ff', 'fi', 'fl', 'ffi', 'ffl', 'ft', 'ti', 'tt', 'tf', 'tti'],
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [...'0123456789'],
];

/** The text of each glyph. */
export type GlyphTexts = ReadonlyMap<number, string>;

const glyphsOfFaces = new WeakMap<FontFace, readonly GlyphTexts[]>();

/**
 * These glyphs of a font, and all others of their alphabets, in order. Documents with different words then need the
 * same font subset, which is made only once. The result depends only on the glyphs of the document.
 */
export function withAlphabets(face: FontFace, texts: GlyphTexts): GlyphTexts {
  const known = glyphsOfFaces.get(face) ?? alphabets.map((own) => glyphsOf(face, own));
  glyphsOfFaces.set(face, known);
  const used = known.filter((alphabet) => hasAny(texts, alphabet));
  const all = new Map([...used.flatMap((alphabet) => [...alphabet]), ...texts]);
  return new Map([...all].toSorted(([a], [b]) => a - b));
}

function hasAny(texts: GlyphTexts, alphabet: GlyphTexts): boolean {
  for (const glyph of texts.keys()) if (alphabet.has(glyph)) return true;
  return false;
}

function glyphsOf(face: FontFace, texts: readonly string[]): GlyphTexts {
  const glyphs = new Map<number, string>();
  for (const text of texts) {
    const isKnown = [...text].every((character) => face.has(character.codePointAt(0) ?? 0));
    if (isKnown) addGlyphTexts(glyphs, text, face.shape(text, false));
  }
  return glyphs;
}

/** Assigns to each glyph the part of the text that it draws, unless the glyph has one already. */
export function addGlyphTexts(texts: Map<number, string>, text: string, glyphs: readonly Glyph[]): void {
  for (const [index, { id, start }] of glyphs.entries()) {
    const end = glyphs[index + 1]?.start ?? text.length;
    if (end > start && !texts.has(id)) texts.set(id, text.slice(start, end));
  }
}
