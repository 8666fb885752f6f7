import { noBreakSpace } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { ExcessOf } from './end-inside-unit.ts';
import { portionOf } from './line-cursor.ts';
import type { Ending } from './line-end.ts';
import type { Piece } from './pieces.ts';
import type { Placed } from './to-fragments.ts';
import type { Unit } from './units.ts';

export function isNoBreakSpace(piece: Piece): boolean {
  return piece.kind === 'word' && piece.run.kind === 'text' && piece.run.text === noBreakSpace;
}

/** In dots. Text that ends closer to the line end may be measured differently. */
const leastFree = 20 * dotsPerTwip;

/** How far a unit may extend beyond the line end, in dots; negative if it must end before it. */
export function mostExcessOf(unit: Unit): number {
  return unit.some(isNoBreakSpace) ? -leastFree : 0;
}

interface Place {
  /** The previous unit. */
  readonly before: Unit;
  /** The piece before the unit on its line. */
  readonly last: Piece | undefined;
  readonly excessOf: ExcessOf;
}

/**
 * For a unit that does not fit after another one: throws UnknownFeature if a no-break space in either decides where the
 * line ends. Writer may end the line there (`SwBlankPortion::MayUnderflow`), but not if it ends within the text of a
 * portion.
 */
export function requireEndInText(unit: Unit, { before, last, excessOf }: Place): void {
  if (![...before, ...unit].some(isNoBreakSpace)) return;
  const space = unit.findIndex(isNoBreakSpace);
  const start = space < 0 ? unit : unit.slice(0, space);
  const [first] = start;
  const isInPortion =
    first !== undefined && last?.kind === 'word' && last.spaces > 0 && portionOf(first) === portionOf(last);
  if (!isInPortion || excessOf(start) <= 0) throw new UnknownFeature('a no-break space near the end of a line');
}

/** In twips, for a no-break space at the end of its line. */
const leastFreeAtEnd = 720;

/**
 * Throws UnknownFeature for a no-break space that ends a line. Writer omits some of them, and may end the line before
 * them.
 */
export function requireOtherEnd(placed: readonly Placed[], { alignment, lineEnd }: Ending): void {
  const last = placed.findLast(({ piece }) => piece.kind !== 'line-break' && !isEmptyWord(piece));
  if (last?.piece.kind !== 'word' || !isNoBreakSpace(last.piece)) return;
  const { underline, isStruck } = last.piece.run.format;
  const isPlain = alignment === 'left' && underline === 'none' && !isStruck;
  if (!isPlain || last.x > lineEnd - leastFreeAtEnd * dotsPerTwip)
    throw new UnknownFeature('a no-break space at the end of a line');
}

const isEmptyWord = (piece: Piece): boolean => piece.kind === 'word' && piece.word.text === '';
