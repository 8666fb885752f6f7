import { eachTable } from '../../core/compile/each-table.ts';
import type { ParsedPiece, ParseFault } from '../../core/compile/parse-parts.ts';
import type { TagParser } from '../../language/scope.ts';
import { arrangeColumns } from './arrange-columns.ts';
import { columnTags } from './column-tags.ts';

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
  const lifted = eachTable(pieces, (table) => (hasColumnTag(table) ? arrangeColumns(table, parser, fault) : table));
  for (const piece of columnTags(lifted)) fault('column_outside_table', piece);
  return { pieces: lifted, faults };
}

function hasColumnTag(pieces: readonly ParsedPiece[]): boolean {
  return !columnTags(pieces).next().done;
}
