import type { ParagraphFormat } from '../document/tree.ts';
import type { TextFont, TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Placed } from './to-fragments.ts';

/**
 * The fonts of the words on a line, undefined if there are none. Tabs and breaks are as high as the rest of their line (Writer,
 * `SwBreakPortion::Format`). A run of nothing but spaces at the end of a line is counted or not, which is decisive if it is of another
 * font. Throws UnknownFeature.
 */
export function fontsOf(placed: readonly Placed[]): readonly TextFont[] | undefined {
  const last = placed.findLastIndex(({ piece }) => piece.kind === 'word' && piece.word.text !== '');
  if (last < 0) return undefined;
  const fonts = new Set<TextFont>();
  for (const [index, { piece }] of placed.entries()) {
    if (piece.kind !== 'word' || fonts.has(piece.font)) continue;
    if (index > last) throw new UnknownFeature('spaces of another font at the end of a line');
    fonts.add(piece.font);
  }
  return [...fonts];
}

/**
 * The fonts of a line without words: that of a break that is alone on it, or of the paragraph mark. Throws UnknownFeature if the line has
 * other fonts, which Writer counts or not, and they are higher than its pictures.
 */
export function fontsWithoutWords(
  placed: readonly Placed[],
  mark: TextFont,
  { line, lineRule }: ParagraphFormat,
  fontOf: TextFontOf,
): readonly TextFont[] {
  const [first, ...others] = placed;
  if (first?.piece.kind === 'line-break' && others.length === 0) return [first.piece.font];
  const heights = placed.flatMap(({ piece }) => (piece.kind === 'picture' ? [piece.picture.height] : []));
  const isSpaced = lineRule === 'auto' && line !== 240;
  const highest = isSpaced ? 0 : Math.max(0, ...heights);
  for (const { piece } of placed) {
    const font = piece.kind === 'picture' ? fontOf(piece.picture.format) : piece.font;
    if (font !== mark && Math.max(font.lineHeight, mark.lineHeight) > highest)
      throw new UnknownFeature('another font in a line without words');
  }
  return heights.length > 0 ? [] : [mark];
}
