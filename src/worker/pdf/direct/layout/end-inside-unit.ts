import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { portionOf } from './line-cursor.ts';
import type { Piece, WordPiece } from './pieces.ts';
import { type Unit, upToSpaces } from './units.ts';

/** How far a part of a unit reaches over the end of the line, in dots; negative if it fits. Throws UnknownFeature if that is too close to call. */
export type ExcessOf = (part: Unit) => number;

/**
 * How many pieces of a unit that does not fit stay on the line: those before spaces that do not fit. LibreOffice ends a line at such spaces also where
 * Unicode allows no line to end, as before a bracket that closes (Writer, `SwTextGuess::Guess`). 0 if the whole unit goes to the next line. Throws
 * UnknownFeature.
 */
export function piecesBeforeSpaces(unit: Unit, excessOf: ExcessOf): number {
  for (const [index, piece] of unit.slice(0, -1).entries()) {
    if (piece.kind !== 'word' || piece.spaces === 0) continue;
    const behind = unit[index + 1];
    // Writer looks for the end of a line in each portion for itself.
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

/** Where LibreOffice looks for a space before a slash: 65 characters back. We do not count those of other kinds of spaces. */
const mostBefore = 60;

interface Place {
  /** What stands before the unit on its line. */
  readonly before: Piece | undefined;
  /** Characters between the unit and the space before it, a tab or a break; infinite without one in the paragraph. */
  readonly distance: number;
  readonly excessOf: ExcessOf;
}

/**
 * For a unit that does not fit: throws UnknownFeature if a slash decides where its line ends. LibreOffice ends a line at a space before the slash,
 * or behind the slash if it finds none (i18npool, `BreakIterator_Unicode::getLineBreak`). We end it before the unit, which is the same if a space
 * is there, or if the slash does not fit either.
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

/** How far the end of a unit is behind the last space, if its beginning is so far behind it. */
export function distanceBehind(unit: Unit, distance: number): number {
  let behind = distance;
  for (const piece of unit) {
    if (piece.kind === 'word') behind = piece.spaces > 0 ? 0 : behind + piece.word.text.length;
    else if (piece.kind === 'picture') behind += 1;
    else if (piece.kind !== 'tab' || !piece.isOfLabel) behind = 0;
  }
  return behind;
}
