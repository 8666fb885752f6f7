import type { TagParser } from '../language/scope.ts';
import type { ParsedPiece, ParseFault } from '../template/parse-parts.ts';
import { endOf, isTag } from '../template/piece-tags.ts';
import { arrangeColumns } from './arrange-columns.ts';
import { isColumnTag } from './column-tags.ts';

export interface LiftedColumns {
  readonly pieces: readonly ParsedPiece[];
  readonly faults: readonly ParseFault[];
}

/** Makes sections of the cells that column tags repeat, in every table of a part. */
export function liftColumns(part: string, pieces: readonly ParsedPiece[], parser: TagParser): LiftedColumns {
  if (!hasColumnTag(pieces)) return { pieces, faults: [] };
  const faults: ParseFault[] = [];
  const fault = (id: string, { value }: ParsedPiece) => {
    faults.push({ id, part, offset: undefined, tag: undefined, written: `{${value}}` });
  };
  const lifted = liftTables(pieces, (table) => arrangeColumns(table, parser, fault));
  for (const piece of columnTags(lifted)) fault('column_outside_table', piece);
  return { pieces: lifted, faults };
}

export type NoteFault = (id: string, piece: ParsedPiece) => void;

/** Inner tables first: the tags they hold are not those of the table around them. */
function liftTables(
  pieces: readonly ParsedPiece[],
  arrange: (table: readonly ParsedPiece[]) => readonly ParsedPiece[],
): readonly ParsedPiece[] {
  const lifted: ParsedPiece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) continue;
    const end = isTag(piece, 'w:tbl', 'start') ? endOf(pieces, i, 'w:tbl') : undefined;
    if (end === undefined) {
      const { subparsed } = piece;
      lifted.push(subparsed === undefined ? piece : { ...piece, subparsed: liftTables(subparsed, arrange) });
      continue;
    }
    const table = liftTables(pieces.slice(i + 1, end), arrange);
    lifted.push(piece);
    for (const inner of hasColumnTag(table) ? arrange(table) : table) lifted.push(inner);
    i = end - 1;
  }
  return lifted;
}

function hasColumnTag(pieces: readonly ParsedPiece[]): boolean {
  return !columnTags(pieces).next().done;
}

export function* columnTags(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (isColumnTag(piece)) yield piece;
    if (piece.subparsed !== undefined) yield* columnTags(piece.subparsed);
  }
}
