import type { FontFace, Glyph } from './font-face.ts';

/** Characters of which a document usually has many if it has one, with the ligatures of fonts among them. */
const alphabets: readonly (readonly string[])[] = [
  [...' abcdefghijklmnopqrstuvwxyz,.:-', 'ff', 'fi', 'fl', 'ffi', 'ffl', 'ft', 'ti', 'tt', 'tf', 'tti'],
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [...'0123456789'],
];

/** The text of each glyph. */
export type GlyphTexts = ReadonlyMap<number, string>;

const glyphsOfFaces = new WeakMap<FontFace, readonly GlyphTexts[]>();

/**
 * These glyphs of a font, and all others of the alphabets to which they belong, in order. Documents with other words then have the same
 * subset of a font, so that it is made once for many documents; it follows from the glyphs of the document alone.
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

/** Adds the part of a text that each of its glyphs draws, unless a glyph has one already. */
export function addGlyphTexts(texts: Map<number, string>, text: string, glyphs: readonly Glyph[]): void {
  for (const [index, { id, start }] of glyphs.entries()) {
    const end = glyphs[index + 1]?.start ?? text.length;
    if (end > start && !texts.has(id)) texts.set(id, text.slice(start, end));
  }
}
