import { eachElement, endOf, isTag, type ParsedPiece } from './parsed-piece.ts';

/** Applies `arrange` to the content of each table, inner tables first. */
export function eachTable(
  pieces: readonly ParsedPiece[],
  arrange: (table: readonly ParsedPiece[]) => readonly ParsedPiece[],
): readonly ParsedPiece[] {
  return eachElement(pieces, 'w:tbl', (start, content, end) => [start, ...arrange(content), end]);
}

export interface TableCell {
  /** Indexes of its start tag and end tag in its list of pieces. */
  readonly from: number;
  readonly to: number;
  /** Its first grid column, and the number of columns it covers. */
  readonly start: number;
  readonly span: number;
  /** Its template row, counted from 1, and the sections around that row inside the table. */
  readonly row: number;
  readonly sections: readonly ParsedPiece[];
}

/** The cells of each list of pieces, in row order. */
export type CellsByList = Map<readonly ParsedPiece[], TableCell[]>;

/** The cells of a table by list of pieces, including sections of repeated rows; undefined when a section splits a row. */
export function readCells(pieces: readonly ParsedPiece[]): CellsByList | undefined {
  const found: CellsByList = new Map();
  return readList(pieces, [], { found, rows: 0 }) ? found : undefined;
}

interface TableReader {
  readonly found: CellsByList;
  rows: number;
}

function readList(pieces: readonly ParsedPiece[], sections: readonly ParsedPiece[], reader: TableReader): boolean {
  const cells: TableCell[] = [];
  reader.found.set(pieces, cells);
  let column = 0;
  let isInRow = false;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) continue;
    if (piece.subparsed !== undefined) {
      if (isInRow || !readList(piece.subparsed, [...sections, piece], reader)) return false;
    } else if (isTag(piece, 'w:tr', 'start')) {
      isInRow = true;
      reader.rows++;
      column = numberIn(pieces[i + 1], 'gridBefore', 0);
    } else if (isTag(piece, 'w:tr', 'end')) {
      if (!isInRow) return false;
      isInRow = false;
    } else if (piece.tag === 'w:tbl') return false;
    else if (isTag(piece, 'w:tc', 'start')) {
      const to = endOf(pieces, i, 'w:tc');
      if (to === undefined || !isInRow) return false;
      const span = Math.max(1, numberIn(pieces[i + 1], 'gridSpan', 1));
      cells.push({ from: i, to, start: column, span, row: reader.rows, sections });
      column += span;
      i = to;
    }
  }
  return !isInRow;
}

function numberIn(properties: ParsedPiece | undefined, name: 'gridBefore' | 'gridSpan', otherwise: number): number {
  if (properties?.type !== 'content') return otherwise;
  const found = new RegExp(`<w:${name}\\s[^>]*?w:val=["'](\\d{1,3})["']`).exec(properties.value)?.[1];
  return found === undefined ? otherwise : Number(found);
}
