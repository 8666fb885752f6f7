import { UnknownFeature } from '../unknown-feature.ts';
import type { Piece, WordPiece } from './pieces.ts';
import type { Unit } from './units.ts';

/** Where LibreOffice looks for a space before a slash: 65 characters back. We do not count those of other kinds of spaces. */
const mostBefore = 60;

interface Place {
  /** What stands before the unit on its line. */
  readonly before: Piece | undefined;
  /** Characters between the unit and the space before it, a tab or a break; infinite without one in the paragraph. */
  readonly distance: number;
  /** Whether the line has space for a part of the unit. */
  readonly fits: (part: WordPiece) => boolean;
}

/**
 * For a unit that does not fit on its line: throws UnknownFeature if its line may not end before it.
 * - Behind spaces at which no line may end, as before a bracket that closes, LibreOffice ends one nevertheless if they do not fit.
 * - It ends a line at a space before a slash, or behind the slash if it finds none (i18npool, `BreakIterator_Unicode::getLineBreak`). To end it before
 *   the unit is the same if a space is there, or if the slash does not fit either.
 */
export function requireKnownBreak(unit: Unit, { before, distance, fits }: Place): void {
  if (unit.slice(0, -1).some((piece) => piece.kind === 'word' && piece.spaces > 0))
    throw new UnknownFeature('spaces at the end of a line at which no line may end');
  const text = unit.map(textOf).join('');
  const [first, last] = [text.indexOf('/'), text.lastIndexOf('/')];
  if (first < 0) return;
  const isBehindText = before?.kind === 'picture' || (before?.kind === 'word' && before.spaces === 0);
  const [word, ...others] = unit;
  const isDecided = !isBehindText || (word?.kind === 'word' && others.length === 0 && !fits(upTo(word, first + 1)));
  if (!isDecided || distance + last > mostBefore) throw new UnknownFeature('an address over the end of a line');
}

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

const textOf = (piece: Piece): string => (piece.kind === 'word' ? piece.word.text : '');

const upTo = (piece: WordPiece, length: number): WordPiece => ({
  ...piece,
  word: piece.font.shape(piece.word.text.slice(0, length)),
  ...{ spaces: 0, gap: 0 },
});
