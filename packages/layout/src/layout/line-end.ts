import { textFill } from '../document/text-fill.ts';
import type { ParagraphFormat } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { portionOf, wholeTwips } from './line-cursor.ts';
import type { Piece } from './pieces.ts';
import type { Placed } from './to-fragments.ts';

/** Why a line ends: the next word does not fit, there is a break, or the paragraph ends. */
export type LineEnd = 'full' | 'break' | 'paragraph';

export interface Ending {
  readonly end: LineEnd;
  /** The first piece that does not fit on the line. */
  readonly next: Piece | undefined;
  readonly alignment: ParagraphFormat['alignment'];
  /** In dots. */
  readonly lineEnd: number;
}

/**
 * The space that Writer reserves after italic text for its slant, in dots, in documents of Word 2013
 * (`SwTextGuess::Guess`).
 */
export function slantOf(piece: Piece): number {
  if (piece.kind !== 'word' || !piece.run.format.isItalic) return 0;
  return wholeTwips((piece.font.lineHeight * dotsPerTwip) / 12);
}

/** The space for the slant of the text at a line end, where Writer counts it. Throws UnknownFeature. */
export function slantAtEnd(
  placed: readonly Placed[],
  { end, next, alignment, lineEnd, isShrunk }: Ending & { readonly isShrunk: boolean },
): number {
  const last = lastOf(placed);
  if (last?.kind !== 'word') return 0;
  const slant = slantOf(last);
  const isInside = last.spaces > 0 || (next !== undefined && portionOf(next) === last.run);
  if (slant === 0 || (end === 'full' && !isInside)) return 0;
  const first = placed.findIndex(({ piece }) => portionOf(piece) === last.run);
  if (
    alignment === 'both' &&
    placed[first - 1]?.piece.kind === 'word' &&
    (isShrunk || spacesBefore(placed, first) === 0)
  )
    throw new UnknownFeature('slanted text of its own format at the end of a justified line');
  if (end === 'full' || (end === 'paragraph' && last.spaces <= 1)) return slant;
  if (alignment === 'both' && last.spaces > 0) throw new UnknownFeature('slanted text with spaces before a break');
  // Otherwise only if Writer's first estimate is that the text fits.
  const own = placed.filter(({ piece }) => portionOf(piece) === last.run);
  const letters = own.reduce((sum, { piece }) => sum + lettersOf(piece), 0);
  const left = lineEnd - slant - (own[0]?.x ?? 0);
  return (left / dotsPerTwip) * 2 > letters * last.font.lineHeight ? slant : 0;
}

/** The last piece before a break. */
function lastOf(placed: readonly Placed[]): Piece | undefined {
  return placed.findLast(({ piece }) => piece.kind !== 'line-break')?.piece;
}

function spacesBefore(placed: readonly Placed[], index: number): number {
  const before = placed[index - 1]?.piece;
  return before?.kind === 'word' ? before.spaces : 0;
}

function lettersOf(piece: Piece): number {
  return piece.kind === 'word' ? piece.word.text.length + piece.spaces : 0;
}

/** A portion may fit at first sight if the free width exceeds this share of half its line height per letter. */
const surelyNarrow = 0.8;

/**
 * Whether Writer may measure the whole portion of a piece, truncated to whole twips, because it seems to fit at first
 * sight (`SwTextGuess::Guess`). Otherwise it measures each character.
 */
export function mayFitAtSight(placed: readonly Placed[], unit: readonly Piece[], piece: Piece, free: number): boolean {
  if (piece.kind !== 'word') return true;
  const own = [...placed.map((one) => one.piece), ...unit].filter((one) => portionOf(one) === piece.run);
  const letters = own.reduce((sum, one) => sum + lettersOf(one), 0);
  return (free / dotsPerTwip) * 2 > letters * piece.font.lineHeight * surelyNarrow;
}

/** Whether only spaces follow the last picture or tab of a line; Writer counts one of them. */
function hasOnlySpacesAtEnd(placed: readonly Placed[]): boolean {
  const last = placed.findLast(
    ({ piece }) => piece.kind !== 'line-break' && (piece.kind !== 'word' || piece.word.text !== ''),
  );
  return last !== undefined && last.piece.kind !== 'word';
}

/**
 * Whether a word would begin the next line directly after pictures. Writer splits it if there is no space before them.
 */
function endsWithPicture(placed: readonly Placed[], next: Piece | undefined): boolean {
  if (next?.kind !== 'word' || placed.at(-1)?.piece.kind !== 'picture') return false;
  return !placed.some(({ piece }) => piece.kind === 'word' && piece.spaces > 0);
}

/** Whether a piece consists of spaces that follow those of another run. Writer omits all of them at a line end. */
export function isBehindSpaces(piece: Piece | undefined, before: Piece | undefined): boolean {
  if (piece?.kind !== 'word' || piece.word.text !== '') return false;
  return before?.kind === 'word' && before.spaces > 0;
}

/**
 * Throws UnknownFeature for lines whose end Writer determines differently, and for lines with trailing spaces that may
 * or may not be part of the line.
 */
export function requirePlainEnd(placed: readonly Placed[], { end, next, alignment }: Ending): void {
  if (end === 'full' && endsWithPicture(placed, next))
    throw new UnknownFeature('a word after a picture that does not fit on its line');
  const lastIndex = placed.findLastIndex(({ piece }) => piece.kind !== 'line-break');
  const last = placed[lastIndex]?.piece;
  if (last?.kind !== 'word' || last.spaces === 0) return;
  if (alignment !== 'left' && isBehindSpaces(last, placed[lastIndex - 1]?.piece))
    throw new UnknownFeature('spaces of several runs at the end of a line');
  const { underline, isStruck, isItalic } = last.run.format;
  if (alignment === 'center' || alignment === 'right') {
    if (hasOnlySpacesAtEnd(placed)) throw new UnknownFeature('spaces after a picture or a tab at the end of a line');
    // Writer counts one of them in some lines.
    if (last.word.text === '' && placed[lastIndex - 1]?.piece.kind === 'word')
      throw new UnknownFeature('spaces of their own at the end of a centred or right line');
  }
  const isCut =
    end === 'full'
      ? next !== undefined && portionOf(next) === last.run
      : alignment === 'left' || (end === 'paragraph' && alignment !== 'both');
  if ((underline !== 'none' || isStruck) && (isItalic || !isCut))
    throw new UnknownFeature('a line at spaces at the end of a line');
  if (textFill(last.run.format) !== undefined && (alignment === 'both' || isItalic || !isCut))
    throw new UnknownFeature('shading of spaces at the end of a line');
}
