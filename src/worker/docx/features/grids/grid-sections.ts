import type { ParsedPiece } from '../../core/parsed-piece.ts';

/** Matches the formatter that makes a section a grid. */
export const gridTag = /\|\s*grid\s*(?=[|}]|$)/;

/** Why a grid cannot be filled. */
export type GridFault = 'outside' | 'elsewhere' | 'split' | 'nested' | 'columns' | 'formats' | 'differs';
/** Reports a fault once for all grids of a table, at the first of them. */
export type ReportGrid = (fault: GridFault, found: readonly ParsedPiece[]) => void;

export function isGrid({ type, value, writer }: ParsedPiece): boolean {
  return type === 'placeholder' && writer === undefined && gridTag.test(value);
}

/** The sections with the formatter that are not arranged yet, including those inside other sections. */
export function* gridsIn(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (isGrid(piece)) yield piece;
    if (piece.subparsed !== undefined) yield* gridsIn(piece.subparsed);
  }
}
