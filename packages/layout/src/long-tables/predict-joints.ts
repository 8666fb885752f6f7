import type { WordPackage } from '@docmill/word/word-package';
import type { SizedFontOf } from '../fonts/find-faces.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { chooseJoints, type FoundStart, type Joint, leadsToNext } from './choose-joints.ts';
import { layOutLongTable } from './lay-out-long-table.ts';
import type { TextRow } from './lay-out-text-row.ts';
import type { TablePlace } from './read-text-table.ts';

/** A long table of a document. LibreOffice has laid out its first rows. */
export interface LongTable extends TablePlace {
  readonly found: readonly FoundStart[];
  readonly partRows: number;
  /** Rows whose height in LibreOffice differs from the computed one. */
  readonly measured: readonly RowHeight[];
}

/**
 * Body rows count from 0. The height is the distance from a row's first line to that of the next row on the page, in
 * twips.
 */
export interface RowHeight {
  readonly row: number;
  readonly height: number;
}

/**
 * The joints of a long table, and the rows after the first joint whose computed heights are too close to call; empty if
 * there are too many.
 */
export interface Prediction {
  readonly joints: readonly Joint[];
  readonly uncertain: readonly RowHeight[];
}

/** Laying out more rows again takes longer than measuring the table. */
const mostUncertain = 600;

/**
 * The joints of a long table after those that LibreOffice has found, and the rows to measure in order to be certain.
 * Throws UnknownFeature, with the reason, if the row heights cannot be computed or do not lead to the starts that
 * LibreOffice has found.
 */
export function predictJoints(source: WordPackage, table: LongTable, fontOf: SizedFontOf): Prediction {
  const { count, frame, layOut } = layOutLongTable(source, table, fontOf);
  const [first, second] = table.found;
  if (first === undefined || second === undefined || second.row >= count)
    throw new UnknownFeature('a table of few pages');
  const request = { frame, found: table.found, partRows: table.partRows };
  const rows: TextRow[] = Array.from({ length: first.row }, () => empty);
  while (rows.length <= second.row) rows.push(layOut(rows.length));
  // The first rows show whether the others are worth the time.
  if (!leadsToNext(rows, request)) throw new UnknownFeature('other page ends');
  const measured = new Map(table.measured.map(({ row, height }) => [row, height - frame.border]));
  while (rows.length < count) rows.push(layOut(rows.length, measured.get(rows.length)));
  const joints = chooseJoints(rows, request);
  if (joints === undefined) throw new UnknownFeature('no clear page ends');
  const uncertain = rows.flatMap(({ isCertain, height }, row) =>
    isCertain || row < second.row ? [] : [{ row, height: height + frame.border }],
  );
  return { joints, uncertain: uncertain.length > mostUncertain ? [] : uncertain };
}

/** A placeholder for rows before the first page start. */
const empty: TextRow = { cells: [], height: 0, canSplit: false, isCertain: true };
