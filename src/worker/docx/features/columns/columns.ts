import type { ArrangedPart, Feature } from '../../core/feature.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { eachTable } from '../../core/table-cells.ts';
import { checkExpression } from '../../language/expressions/parse-tag-text.ts';
import { arrangeColumns } from './arrange-columns.ts';
import { type ColumnFault, columnTags, mayHaveColumns } from './column-tags.ts';

const problems: Readonly<Record<ColumnFault, string>> = {
  outside_table: 'is outside the cells of a table',
  twice: 'is in a column that another column tag already repeats',
  crossed: 'is in a column that a merged cell of another row covers only partly',
  split_table: 'is in a table that a section splits',
  too_many: 'is in a table with more than 63 columns',
};
const hint = 'put it into one cell of the column that it repeats or leaves out';

/** `{|months}` and `{|^secret}`: table columns that data repeats or omits. */
export const columns: Feature = {
  name: 'columns',
  tag: {
    prefix: '|',
    isExpression: true,
    expressionOf: (text) => (text.startsWith('^') ? text.slice(1).trim() : text),
    check: checkExpression,
  },
  openPart: () => ({
    scan: (xml) => ({ keepsCells: mayHaveColumns(xml) }),
    arrange: extractColumns,
  }),
};

/** Turns the cells that column tags repeat into sections, in every table of a part. */
function extractColumns(pieces: readonly ParsedPiece[], { parser, report }: ArrangedPart): readonly ParsedPiece[] {
  if (!hasColumnTag(pieces)) return pieces;
  const reportColumn = (fault: ColumnFault, piece: ParsedPiece) =>
    report({ subject: 'column tag', problem: problems[fault], hint, piece });
  const arranged = eachTable(pieces, (table) =>
    hasColumnTag(table) ? arrangeColumns(table, parser, reportColumn) : table,
  );
  for (const piece of columnTags(arranged)) reportColumn('outside_table', piece);
  return arranged;
}

function hasColumnTag(pieces: readonly ParsedPiece[]): boolean {
  return !columnTags(pieces).next().done;
}
