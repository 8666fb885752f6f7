import { LRUCache } from 'lru-cache';
import type { FontFace } from '../font-face.ts';

/** Characters of which a document usually has many if it has one, with the ligatures of fonts among them. */
const alphabets: readonly (readonly string[])[] = [
  [...' abcdefghijklmnopqrstuvwxyz,.:-', 'ff', 'fi', 'fl', 'ffi', 'ffl', 'ft', 'ti', 'tt', 'tf', 'tti'],
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [...'0123456789'],
];

const glyphsOfFaces = new LRUCache<FontFace, readonly ReadonlySet<number>[]>({ max: 100 });

/**
 * These glyphs of a font, and all others of the alphabets to which they belong, in order. Documents with other words then have the same
 * subset of a font, so that it is made once for many documents; it follows from the glyphs of the document alone.
 */
export function withAlphabets(face: FontFace, glyphs: readonly number[]): readonly number[] {
  const known = glyphsOfFaces.get(face) ?? alphabets.map((texts) => glyphsOf(face, texts));
  glyphsOfFaces.set(face, known);
  const all = new Set(glyphs);
  for (const alphabet of known) {
    if (glyphs.some((glyph) => alphabet.has(glyph))) for (const glyph of alphabet) all.add(glyph);
  }
  return [...all].toSorted((a, b) => a - b);
}

function glyphsOf(face: FontFace, texts: readonly string[]): ReadonlySet<number> {
  const drawn = texts.filter((text) => [...text].every((character) => face.has(character.codePointAt(0) ?? 0)));
  return new Set(drawn.flatMap((text) => face.shape(text, false).map(({ id }) => id)));
}
