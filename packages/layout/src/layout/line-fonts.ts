import type { ParagraphFormat } from '../document/tree.ts';
import type { TextFont, TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Placed } from './to-fragments.ts';

/**
 * The fonts of the words on a line; undefined if it has none. Tabs and breaks are as high as the rest of their line
 * (Writer, `SwBreakPortion::Format`). Throws UnknownFeature for a run of spaces in a higher font, which Writer may or
 * may not count.
 */
export function fontsOf(placed: readonly Placed[]): readonly TextFont[] | undefined {
  const fonts: TextFont[] = [];
  for (const { piece } of placed)
    if (piece.kind === 'word' && piece.word.text !== '' && !fonts.includes(piece.font)) fonts.push(piece.font);
  if (fonts.length === 0) return undefined;
  for (const { piece } of placed)
    if (piece.kind === 'word' && !fonts.includes(piece.font) && isHigher(piece.font, fonts))
      throw new UnknownFeature('spaces of a higher font than the text');
  return fonts;
}

/**
 * For a line with a label: throws UnknownFeature if it ends before a run in a higher font. LibreOffice gives the line
 * the height of that run if some of its letters fit. `next` is the first piece that does not fit.
 */
export function requireOwnHeight(fonts: readonly TextFont[], next: Placed['piece'] | undefined): void {
  if (next?.kind === 'word' && isHigher(next.font, fonts))
    throw new UnknownFeature('a line of a label before higher text');
}

function isHigher({ ascent, lineHeight }: TextFont, fonts: readonly TextFont[]): boolean {
  const descent = lineHeight - ascent;
  return fonts.every((font) => font.ascent < ascent) || fonts.every((font) => font.lineHeight - font.ascent < descent);
}

/**
 * The fonts of a line without words: that of its only break, or of the paragraph mark. Throws UnknownFeature if the
 * line has other fonts, which Writer may or may not count, that are higher than its pictures.
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
