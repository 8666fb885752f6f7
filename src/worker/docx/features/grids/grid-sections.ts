import type { ParsedPiece } from '../../core/parsed-piece.ts';

/** Matches the formatter that makes a section a grid. */
export const gridTag = /\|\s*grid\s*(?=[|}]|$)/;

/** Why a grid cannot be filled. */
export type GridFault = 'outside' | 'elsewhere' | 'split' | 'nested' | 'columns' | 'formats' | 'differs';
/** Reports the first of the grids of one table. */
export type ReportGrid = (fault: GridFault, found: readonly ParsedPiece[]) => void;

export function isGrid({ type, value, writer }: ParsedPiece): boolean {
  return type === 'placeholder' && writer === undefined && gridTag.test(value);
}

/** The tags with the formatter that have not become grids yet, in sections too. */
export function* gridsIn(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (isGrid(piece)) yield piece;
    if (piece.subparsed !== undefined) yield* gridsIn(piece.subparsed);
  }
}
