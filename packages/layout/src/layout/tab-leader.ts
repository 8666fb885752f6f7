import type { ParagraphFormat, RunFormat, TabStop } from '../document/tree.ts';
import { printedStep } from '../fonts/printed-advance.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { TextFont } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { TextFragment } from './line.ts';
import type { LineCursor } from './line-cursor.ts';
import type { Piece, TabPiece } from './pieces.ts';

interface LeaderPlace {
  readonly font: TextFont;
  readonly format: RunFormat;
  /** The start of the tab and its width, in dots. */
  readonly x: number;
  readonly width: number;
}

/**
 * The characters that fill a tab: as many as fit, plus one for lines without gaps, spread or squeezed so that the last
 * one ends with the tab (Writer, `SwTabPortion::Paint`; vcl, `GenericSalLayout::Justify`). Undefined if none fits.
 * Throws UnknownFeature.
 */
export function fillTab(leader: TabStop['leader'], { font, format, x, width }: LeaderPlace): TextFragment | undefined {
  if (font.spacing !== 0 || format.position !== 'baseline')
    throw new UnknownFeature('a tab with a leader in spaced or raised text');
  const one = font.shape(leader);
  const [glyph, ...others] = one.glyphs;
  if (glyph === undefined || others.length > 0) throw new UnknownFeature('a leader of several glyphs');
  const fitting = Math.floor(width / dotsPerTwip / Math.floor(one.width / dotsPerTwip));
  const count = leader === '_' ? fitting + 1 : fitting;
  if (count === 0) return undefined;
  if (count === 1) throw new UnknownFeature('a leader of one character');
  const { advanceOf, unitsPerEm } = font.face;
  const native = (advanceOf(glyph.id) * 1000) / unitsPerEm;
  const excess = Math.floor(native) - printedStep((width - one.width) / (count - 1), native, font.halfPoints);
  const [segment] = one.segments;
  const segments = Array.from({ length: count }, () => ({ hex: segment?.hex ?? '', excess }));
  const glyphs = Array.from({ length: count }, (_, start) => ({ ...glyph, start }));
  const words = [{ text: leader.repeat(count), width, glyphs, loss: 0, segments }];
  return { kind: 'text', x, width, trailing: 0, words, gaps: [0], font, format, link: undefined };
}

/**
 * Throws UnknownFeature where a tab with a leader may begin elsewhere, because each twip may change the number of its
 * characters.
 */
export function requireKnownTab({ isOfLabel }: TabPiece, { alignment }: ParagraphFormat, cursor: LineCursor): void {
  if (isOfLabel || alignment === 'center' || alignment === 'right')
    throw new UnknownFeature('a leader in a list or in a line that is not at the left');
  requireKnownWidth(cursor);
}

/** Throws UnknownFeature if the width of the text after a centred or right tab is uncertain. */
export function requireKnownText(text: readonly { readonly piece: Piece }[]): void {
  if (text.some(({ piece }) => 'font' in piece && piece.font.spacing !== 0))
    throw new UnknownFeature('text with spacing at a tab that is centred or right');
}

/** Throws UnknownFeature if the width of a tab with a leader is uncertain. */
export function requireKnownWidth({ doubt, overlap }: LineCursor): void {
  if (doubt > 0 || overlap > 0) throw new UnknownFeature('a leader of unknown width');
}
