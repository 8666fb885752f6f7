import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { portionOf } from './line-cursor.ts';
import type { Piece, WordPiece } from './pieces.ts';
import { type Unit, upToSpaces } from './units.ts';

/**
 * How far a part of a unit extends beyond the line end, in dots; negative if it fits. Throws UnknownFeature if that is
 * too close to call.
 */
export type ExcessOf = (part: Unit) => number;

/**
 * The number of pieces of a non-fitting unit that stay on the line: those before spaces that do not fit. LibreOffice
 * ends a line at such spaces even where Unicode allows no break, such as before a closing bracket (Writer,
 * `SwTextGuess::Guess`). 0 if the whole unit goes to the next line. Throws UnknownFeature.
 */
export function piecesBeforeSpaces(unit: Unit, excessOf: ExcessOf): number {
  for (const [index, piece] of unit.slice(0, -1).entries()) {
    if (piece.kind !== 'word' || piece.spaces === 0) continue;
    const behind = unit[index + 1];
    // Writer looks for the line end in each portion separately.
    if (behind !== undefined && portionOf(behind) !== portionOf(piece)) throw new UnknownFeature(unknownSpaces);
    const excess = excessOf(upToSpaces(unit, piece));
    if (excess > 0) return 0;
    if (Math.abs(excess + piece.gap) < dotsPerTwip * mostDoubt) throw new UnknownFeature(unknownSpaces);
    if (excess + piece.gap > 0) return index + 1;
  }
  return 0;
}

/** In twips. */
const mostDoubt = 3;
export const unknownSpaces = 'spaces at the end of a line at which no line may end';

/**
 * LibreOffice searches 65 characters back for a space before a slash. The limit is lower because other kinds of spaces
 * are not counted here.
 */
const mostBefore = 60;

interface Place {
  /** The piece before the unit on its line. */
  readonly before: Piece | undefined;
  /**
   * The number of characters between the unit and the preceding space, tab or break; infinite if the paragraph has
   * none.
   */
  readonly distance: number;
  readonly excessOf: ExcessOf;
}

/**
 * For a unit that does not fit: throws UnknownFeature if a slash decides where its line ends. LibreOffice ends a line
 * at a space before the slash or, if it finds none, after the slash (i18npool, `BreakIterator_Unicode::getLineBreak`).
 * This layout ends the line before the unit, which is equivalent if a space is there, or if the slash does not fit
 * either.
 */
export function requireKnownSlash(unit: Unit, { before, distance, excessOf }: Place): void {
  const text = unit.map((piece) => (piece.kind === 'word' ? piece.word.text : '')).join('');
  const [first, last] = [text.indexOf('/'), text.lastIndexOf('/')];
  if (first < 0) return;
  const [word, ...others] = unit;
  const isWhole = word?.kind === 'word' && others.length === 0;
  const isBehindText = before?.kind === 'picture' || (before?.kind === 'word' && before.spaces === 0);
  const isDecided = isWhole
    ? !isBehindText || excessOf([upTo(word, first + 1)]) > 0
    : !isBehindText && !hasSpaces(unit);
  if (!isDecided || distance + last > mostBefore) throw new UnknownFeature('an address over the end of a line');
}

const hasSpaces = (unit: Unit): boolean => unit.slice(0, -1).some((piece) => piece.kind === 'word' && piece.spaces > 0);

const upTo = (piece: WordPiece, length: number): WordPiece => ({
  ...piece,
  word: piece.font.shape(piece.word.text.slice(0, length)),
  ...{ spaces: 0, gap: 0 },
});

/** The distance from the last space to the end of a unit that begins at this distance from it. */
export function distanceBehind(unit: Unit, distance: number): number {
  let behind = distance;
  for (const piece of unit) {
    if (piece.kind === 'word') behind = piece.spaces > 0 ? 0 : behind + piece.word.text.length;
    else if (piece.kind === 'picture') behind += 1;
    else if (piece.kind !== 'tab' || !piece.isOfLabel) behind = 0;
  }
  return behind;
}
