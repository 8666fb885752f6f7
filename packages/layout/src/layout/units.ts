import type { Piece, WordPiece } from './pieces.ts';

/** Pieces without a line break opportunity between them. */
export type Unit = readonly Piece[];

/** Joins pieces that no line break may separate. */
export function unitsOf(pieces: readonly Piece[]): readonly Unit[] {
  const units: Unit[] = [];
  let unit: Piece[] = [];
  for (const piece of pieces) {
    if (piece.kind !== 'word' && unit.length > 0) {
      units.push(unit);
      unit = [];
    }
    unit.push(piece);
    if (piece.kind === 'word' && !piece.canEnd) continue;
    units.push(unit);
    unit = [];
  }
  if (unit.length > 0) units.push(unit);
  return units;
}

/** A unit up to one of its words, without that word's trailing spaces. */
export function upToSpaces(unit: Unit, word: WordPiece): Unit {
  return [...unit.slice(0, unit.indexOf(word)), { ...word, spaces: 0, gap: 0 }];
}
