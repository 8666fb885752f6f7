import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { unknownSpaces } from './end-inside-unit.ts';
import { LineCursor, portionOf } from './line-cursor.ts';
import { isBehindSpaces, mayFitAtSight, slantOf } from './line-end.ts';
import { isNoBreakSpace } from './no-break-spaces.ts';
import { type Piece, spacesOf } from './pieces.ts';
import type { Placed } from './to-fragments.ts';
import { type Unit, upToSpaces } from './units.ts';

/**
 * The amount, in dots, by which the spaces of a line may shrink for its last words, and the text that contains them.
 */
export interface Shrinking {
  readonly most: number;
  readonly portion: object;
}

/** A line being filled. Lengths are in dots. */
export interface OpenLine {
  readonly placed: readonly Placed[];
  readonly cursor: LineCursor;
  /** The position of the line end, from the left margin of the text. */
  readonly limit: number;
  readonly slack: number;
  readonly isOfWord2013: boolean;
  readonly shrinking: Shrinking | undefined;
}

/** The maximum shrinkage of a line's spaces for a piece, in dots; by default the current one. */
type MostOf = (piece: Piece) => number;

/** A scratch cursor for pieces that may not fit. */
const trial = new LineCursor(0);

/**
 * The maximum distance by which the pieces of a unit extend beyond the line end; negative if they fit. Throws
 * UnknownFeature if that is too close to call.
 */
export function excessOf(unit: Unit, next: Unit | undefined, line: OpenLine, mostOf?: MostOf): number {
  const { placed, limit, slack, isOfWord2013, shrinking } = line;
  trial.startAs(line.cursor);
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, piece] of unit.entries()) {
    trial.add(piece);
    const slant = isOfWord2013 ? slantOf(piece) : 0;
    const shrunk = mostOf?.(piece) ?? (portionOf(piece) === shrinking?.portion ? shrinking.most : 0);
    const excess = trial.edge + slant - limit - shrunk;
    if (excess > -slack - trial.doubt && most <= 0 && isBehindSpaces(piece, unit[index - 1]))
      throw new UnknownFeature('spaces of several runs at the end of a line');
    const following = unit[index + 1] ?? next?.[0];
    if (excess > -slack - trial.doubt && excess < dotsPerTwip + slack + trial.overlap) {
      const isWhole = following === undefined || portionOf(following) !== portionOf(piece);
      const cut = isWhole && mayFitAtSight(placed, unit, piece, limit - trial.portionStart) ? dotsPerTwip : 0;
      if (excess < slack + cut + trial.overlap) throw new UnknownFeature('a line break that is too close to call');
    }
    most = Math.max(most, excess);
  }
  return most;
}

/**
 * How the spaces of a justified line shrink so that a unit fits; undefined if it does not. In documents of Word 2013
 * they shrink by up to a quarter, but not in text directly after a tab outside lists (Writer,
 * `SwTextPortion::Format_`). Each portion of the line is measured separately.
 */
export function shrinkingFor(unit: Unit, next: Unit | undefined, line: OpenLine): Shrinking | undefined {
  const { placed, shrinking } = line;
  const last = unit.at(-1);
  if (!line.isOfWord2013 || placed.length === 0 || last?.kind !== 'word') return undefined;
  const spaces = placed.slice(0, -1).reduce((sum, { piece }) => sum + spacesOf(piece), 1);
  const tab = placed.findLastIndex(({ piece }) => piece.kind === 'tab');
  const tabPiece = placed[tab]?.piece;
  const behindTab = tabPiece?.kind !== 'tab' || tabPiece.isOfLabel ? undefined : (placed[tab + 1]?.piece ?? unit[0]);
  const mostOf: MostOf = (piece) => {
    if (piece.kind !== 'word') return 0;
    if (shrinking?.portion === piece.run) return shrinking.most;
    if (behindTab !== undefined && portionOf(behindTab) === piece.run) return 0;
    const { spaceWidth, spacing } = piece.font;
    return Math.floor((spaces * Math.floor(spaceWidth / dotsPerTwip - spacing)) / 4) * dotsPerTwip;
  };
  if (excessOf(unit, next, line, mostOf) > 0) return undefined;
  return { most: mostOf(last), portion: last.run };
}

/**
 * Throws UnknownFeature where the spaces of a justified line may shrink in a way that `shrinkingFor` does not cover:
 * for words before spaces at which no line may end, and next to no-break spaces, which Writer may count.
 */
export function requireKnownShrinking(unit: Unit, next: Unit | undefined, line: OpenLine): void {
  if (!line.isOfWord2013) return;
  const pieces = [...line.placed.map(({ piece }) => piece), ...unit];
  const words = pieces.filter((piece) => piece.kind === 'word');
  const spaces = words.reduce((sum, piece) => sum + piece.spaces + (isNoBreakSpace(piece) ? 1 : 0), 1);
  const widest = Math.max(...words.map(({ font }) => font.spaceWidth));
  const most = line.slack + (spaces * widest) / 4;
  if (pieces.some(isNoBreakSpace) && excessOf(unit, next, line) <= most)
    throw new UnknownFeature('a no-break space in a justified line whose spaces may shrink');
  for (const piece of unit.slice(0, -1)) {
    if (piece.kind !== 'word' || piece.spaces === 0) continue;
    const excess = excessOf(upToSpaces(unit, piece), undefined, line);
    if (excess > 0 && excess <= most) throw new UnknownFeature(unknownSpaces);
  }
}
