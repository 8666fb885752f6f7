import { LRUCache } from 'lru-cache';
import { type FaceChoice, findFaces } from '../find-fonts.ts';
import type { FontFace, Glyph } from '../font-face.ts';
import { dotsPerTwip, sizeFont } from '../sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';

/** A word in a font and size. Lengths are sixths of a twip, the dots of LibreOffice's reference device, and not rounded. */
export interface ShapedWord {
  readonly text: string;
  readonly width: number;
  readonly glyphs: readonly Glyph[];
  /** The glyph ids in four hexadecimal digits each. */
  readonly hex: string;
  /** How much wider the glyphs are alone, without kerning, in thousandths of the size. */
  readonly excess: number;
}

/** A font in a size. Heights are twips. */
export interface TextFont {
  readonly face: FontFace;
  readonly halfPoints: number;
  /** Added behind each glyph, in twips. */
  readonly spacing: number;
  /** Of a line, with the font's line gap above the ascent. */
  readonly ascent: number;
  readonly lineHeight: number;
  readonly spaceWidth: number;
  /** Throws UnknownFeature for a character that the font lacks. */
  shape(word: string): ShapedWord;
}

export interface TextFontChoice extends FaceChoice {
  readonly halfPoints: number;
  readonly isKerned: boolean;
  /** Added behind each glyph. */
  readonly spacing: number;
}

export type TextFontOf = (choice: TextFontChoice) => TextFont;

const mostSizes = 200;
const mostWords = 20_000;
const longestKept = 60;

/** Fonts in sizes, kept with the words that they have shaped. */
export function openTextFonts(fontSettings: string): TextFontOf {
  const faceOf = findFaces(fontSettings);
  const fonts = new LRUCache<string, TextFont>({ max: mostSizes });
  return (choice) => {
    const { family, isBold, isItalic, halfPoints, isKerned, spacing } = choice;
    const key = `${family}\n${isBold}\n${isItalic}\n${halfPoints}\n${isKerned}\n${spacing}`;
    const font = fonts.get(key) ?? openTextFont(faceOf(choice), choice);
    fonts.set(key, font);
    return font;
  };
}

function openTextFont(face: FontFace, { halfPoints, isKerned, spacing }: TextFontChoice): TextFont {
  const dotsPerUnit = (halfPoints * 10 * dotsPerTwip) / face.unitsPerEm;
  const { ascent, lineHeight } = sizeFont(face, halfPoints);
  const words = new LRUCache<string, ShapedWord>({ max: mostWords });

  function shape(text: string): ShapedWord {
    const known = words.get(text);
    if (known !== undefined) return known;
    for (const character of text) {
      if (!face.has(character.codePointAt(0) ?? 0)) throw new UnknownFeature('a character that the font lacks');
    }
    const glyphs = face.shape(text, isKerned);
    if (spacing !== 0 && glyphs.length !== text.length) throw new UnknownFeature('ligatures in text with spacing');
    if (glyphs.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0))
      throw new UnknownFeature('glyphs that are moved');
    const advance = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
    const alone = glyphs.reduce((sum, { id }) => sum + face.advanceOf(id), 0);
    const width = advance * dotsPerUnit + glyphs.length * spacing * dotsPerTwip;
    const excess = ((alone - advance) * 1000) / face.unitsPerEm;
    const hex = glyphs.map(({ id }) => id.toString(16).padStart(4, '0')).join('');
    const word = { text, width, glyphs, hex, excess };
    if (text.length <= longestKept) words.set(text, word);
    return word;
  }

  return { face, halfPoints, spacing, ascent, lineHeight, spaceWidth: shape(' ').width, shape };
}
