import type { FontFace } from './font-face.ts';

/**
 * Writer lays out Word files for a device with 8,640 dots per inch (`RefDevMode::MSO1`), six to a twip. Font metrics
 * are rounded to dots, glyph advances truncated.
 */
export const dotsPerTwip = 6;
const twipsPerHalfPoint = 10;

/** A font in one size. Widths are in dots, heights in twips. */
export interface SizedFont {
  readonly lineHeight: number;
  readonly ascent: number;
  /** Whether the font has all characters of a text. */
  hasAll(text: string): boolean;
  /** The width of a text in dots of the reference device; `dotsPerTwip` of them make a twip. */
  widthOf(text: string): number;
}

const mostKept = 200_000;

export function sizeFont(face: FontFace, halfPoints: number): SizedFont {
  const dotsPerUnit = (halfPoints * twipsPerHalfPoint * dotsPerTwip) / face.unitsPerEm;
  const round = (units: number): number => Math.round(units * dotsPerUnit);
  const toTwips = (dots: number): number => Math.round(dots / dotsPerTwip);
  const gap = toTwips(round(face.lineGap));
  const words = new Map<string, number>();
  const characters = new Map<string, number>();
  const pairs = new Map<string, boolean>();

  function shaped(text: string): number {
    return face.advancesOf(text).reduce((sum, advance) => sum + Math.floor(advance * dotsPerUnit), 0);
  }

  const ofCharacter = (character: string): number => keep(characters, character, () => shaped(character));

  /** Whether two adjacent characters are as wide as separately, which rules out a ligature. */
  const isPlain = (pair: string): boolean =>
    keep(pairs, pair, () => {
      const alone = ofCharacter(pair.charAt(0)) + ofCharacter(pair.charAt(1));
      return face.advancesOf(pair).length === 2 && shaped(pair) === alone;
    });

  return {
    lineHeight: toTwips(round(face.ascent) + round(face.descent)) + gap,
    ascent: toTwips(round(face.ascent)) + gap,
    hasAll(text) {
      for (let at = 0; at < text.length; at++) if (!face.has(text.codePointAt(at) ?? 0)) return false;
      return true;
    },
    widthOf(text) {
      let width = 0;
      for (let at = 0; at < text.length; at++) {
        if (at > 0 && !isPlain(text.slice(at - 1, at + 1))) return keep(words, text, () => shaped(text));
        width += ofCharacter(text.charAt(at));
      }
      return width;
    },
  };
}

/** Returns the value of a key, computing it once. Clears the map when it is full. */
function keep<T>(known: Map<string, T>, key: string, compute: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= mostKept) known.clear();
  const value = compute();
  known.set(key, value);
  return value;
}
