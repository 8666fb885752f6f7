import { LRUCache } from 'lru-cache';
import type { RunFormat } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type FaceChoice, findFaces } from './find-faces.ts';
import type { FontFace, Glyph } from './font-face.ts';
import { printedAdvance } from './printed-advance.ts';
import { dotsPerTwip, sizeFont } from './sized-font.ts';
import { drawnSymbol } from './symbols.ts';

/** A word in a font and size. Lengths are unrounded sixths of a twip, the dots of LibreOffice's reference device. */
export interface ShapedWord {
  readonly text: string;
  readonly width: number;
  readonly glyphs: readonly Glyph[];
  /** How much narrower it is in LibreOffice's PDF than with the font's own widths, in thousandths of the size. */
  readonly loss: number;
  /** The glyphs, cut after each one whose advance differs from its own, for example through kerning. */
  readonly segments: readonly GlyphSegment[];
}

/** Consecutive glyphs. */
export interface GlyphSegment {
  /** The glyph ids, each as four hexadecimal digits. */
  readonly hex: string;
  /** How much wider the last glyph is on its own, in thousandths of the size. */
  readonly excess: number;
}

/** A font in a size. Heights are in twips. */
export interface TextFont {
  readonly face: FontFace;
  readonly halfPoints: number;
  /** Added after each glyph, in twips. */
  readonly spacing: number;
  /** The ascent of a line, including the font's line gap above. */
  readonly ascent: number;
  readonly lineHeight: number;
  readonly space: ShapedWord;
  readonly spaceWidth: number;
  /** The distance of its text above the base line of the line. */
  readonly rise: number;
  /** Throws UnknownFeature for a character that the font lacks. */
  shape(word: string): ShapedWord;
  /** The width in dots of the spaces between two words of a run, including kerning. Throws UnknownFeature. */
  gapBetween(before: string, spaces: number, after: string): number;
}

export interface TextFontChoice extends FaceChoice {
  readonly halfPoints: number;
  readonly isKerned: boolean;
  readonly position: RunFormat['position'];
  /** Added after each glyph. */
  readonly spacing: number;
}

export type TextFontOf = (choice: TextFontChoice) => TextFont;

const mostSizes = 200;
const mostWords = 20_000;
const longestKept = 60;
/** Pairs of a letter and a space. */
const mostPairs = 2_000;
/** In dots. Less kerning moves no line end. */
const leastKerning = 0.05;

/**
 * Fonts by size, cached along with the words they have shaped. A document's own fonts take precedence over installed
 * ones.
 */
export function openTextFonts(
  fontSettings: string,
  embeddedFaceOf: (choice: FaceChoice) => FontFace | undefined = () => undefined,
): TextFontOf {
  const installedFaceOf = findFaces(fontSettings);
  const faceOf = (choice: FaceChoice): FontFace => embeddedFaceOf(choice) ?? installedFaceOf(choice);
  const fonts = new LRUCache<string, TextFont>({ max: mostSizes });
  /** Cached, because every line asks for its formats again. */
  const known = new WeakMap<TextFontChoice, TextFont>();
  const find = (choice: TextFontChoice): TextFont => {
    const { family, isBold, isItalic, halfPoints, isKerned, position, spacing } = choice;
    const key = [family, isBold, isItalic, halfPoints, isKerned, position, spacing].join('\n');
    const font = fonts.get(key) ?? openTextFont(faceOf(choice), choice);
    fonts.set(key, font);
    known.set(choice, font);
    return font;
  };
  return (choice) => known.get(choice) ?? find(choice);
}

/**
 * The size of superscript and subscript as a percentage of the text's, in a line of the same height (Writer,
 * `DFLT_ESC_PROP`).
 */
const raisedPercent = 58;

function openTextFont(face: FontFace, { halfPoints: size, isKerned, position, spacing }: TextFontChoice): TextFont {
  const halfPoints = position === 'baseline' ? size : Math.floor((size * 10 * raisedPercent) / 100) / 10;
  const dotsPerUnit = (halfPoints * 10 * dotsPerTwip) / face.unitsPerEm;
  const { ascent, lineHeight } = sizeFont(face, size);
  const own = sizeFont(face, halfPoints);
  // Superscript aligns with the upper edge of the text, subscript with the lower edge (`SwSubFont::CalcEsc`).
  const rise = position === 'superscript' ? ascent - own.ascent : own.lineHeight - own.ascent - (lineHeight - ascent);
  const words = new LRUCache<string, ShapedWord>({ max: mostWords });

  function lossOf(glyphs: readonly Glyph[]): number {
    const scale = 1000 / face.unitsPerEm;
    return glyphs.reduce((sum, { id, advance }) => {
      const width = face.advanceOf(id) * scale;
      const shown = Math.floor(width) - width + advance * scale;
      return sum + shown - printedAdvance(advance * dotsPerUnit, width, halfPoints);
    }, 0);
  }

  function shape(text: string): ShapedWord {
    const known = words.get(text);
    if (known !== undefined) return known;
    const drawn = drawnSymbol(text);
    for (const character of drawn) {
      if (!face.has(character.codePointAt(0) ?? 0)) throw new UnknownFeature('a character that the font lacks');
    }
    const glyphs = face.shape(drawn, isKerned);
    if (spacing !== 0 && glyphs.length !== text.length) throw new UnknownFeature('ligatures in text with spacing');
    if (glyphs.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0))
      throw new UnknownFeature('glyphs that are moved');
    const advance = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
    const width = advance * dotsPerUnit + glyphs.length * spacing * dotsPerTwip;
    const word = { text, width, glyphs, loss: lossOf(glyphs), segments: toSegments(glyphs, face) };
    if (text.length <= longestKept) words.set(text, word);
    return word;
  }

  const space = shape(' ');
  const spaceWidth = space.width;
  const pairs = new LRUCache<string, number>({ max: mostPairs });

  function kerning(before: string, after: string): number {
    if (before === '' || after === '') return 0;
    const pair = before + after;
    const known = pairs.get(pair);
    if (known !== undefined) return known;
    const found = shape(pair).width - shape(before).width - shape(after).width;
    pairs.set(pair, found);
    return found;
  }

  function gapBetween(before: string, spaces: number, after: string): number {
    if (!isKerned) return spaces * spaceWidth;
    const [last, first] = [before.slice(-1), after.slice(0, 1)];
    if (spaces > 0) return spaces * spaceWidth + kerning(last, ' ') + kerning(' ', first);
    if (Math.abs(kerning(last, first)) > leastKerning) throw new UnknownFeature('kerning where a line may end');
    return 0;
  }

  return { face, halfPoints, spacing, ascent, lineHeight, space, spaceWidth, rise, shape, gapBetween };
}

function toSegments(glyphs: readonly Glyph[], face: FontFace): readonly GlyphSegment[] {
  const segments: GlyphSegment[] = [];
  let hex = '';
  for (const { id, advance } of glyphs) {
    hex += id.toString(16).padStart(4, '0');
    const excess = ((face.advanceOf(id) - advance) * 1000) / face.unitsPerEm;
    if (excess === 0) continue;
    segments.push({ hex, excess });
    hex = '';
  }
  if (hex !== '') segments.push({ hex, excess: 0 });
  return segments;
}
