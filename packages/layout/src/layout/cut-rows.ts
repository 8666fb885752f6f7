import { isSameBorder } from '../document/border-lines.ts';
import type { Border } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { borderBelow, type TableLayout } from './lay-out-table.ts';
import type { RowLayout } from './row-layout.ts';
import { splitRow } from './split-row.ts';

/** The rows of a table on either side of a page end. */
export interface CutRows {
  readonly above: readonly RowLayout[];
  readonly below: readonly RowLayout[];
  /** Whether the last row above and the first row below are parts of one row. */
  readonly isSplit: boolean;
}

/** The first rows of a table that repeat on each of its pages. */
export function headingsOf({ rows }: TableLayout): readonly RowLayout[] {
  const count = rows.findIndex(({ row }) => !row.isHeading);
  return rows.slice(0, Math.max(0, count));
}

/**
 * Cuts rows at a page end with this much free space below the `repeated` rows. The rows that fit stay above it, with
 * the fitting part of the next row, or without the rows that must stay on the next row's page (Writer,
 * `SwTabFrame::Split`). If only the `least` rows would stay, which are the headings, none does and the table moves to
 * the next page. Throws UnknownFeature.
 */
export function cutRows(
  rows: readonly RowLayout[],
  repeated: readonly RowLayout[],
  least: number,
  free: number,
): CutRows {
  const fit = rowsThatFit(rows, repeated, free);
  const next = rows[fit];
  if (next === undefined) return { above: rows, below: [], isSplit: false };
  if (canSplit(next)) {
    const used = [...repeated, ...rows.slice(0, fit)].reduce((sum, { height }) => sum + height, 0);
    const split = splitRow(next, free - used - borderBelow([next]));
    if (split !== undefined) {
      if (rows[fit - 1]?.keepsWithNext === true)
        throw new UnknownFeature('a row that stays with one across a page end');
      const [above, below] = [
        [...rows.slice(0, fit), split.above],
        [split.below, ...rows.slice(fit + 1)],
      ];
      return { above, below, isSplit: true };
    }
  }
  let kept = fit;
  while (kept > 0 && rows[kept - 1]?.keepsWithNext === true) kept--;
  if (kept <= least) kept = 0;
  return { above: rows.slice(0, kept), below: rows.slice(kept), isSplit: false };
}

/** Whether Writer tries to split the first row that does not fit. Throws UnknownFeature. */
function canSplit(next: RowLayout): boolean {
  if (!next.row.canSplit || next.row.isExact || next.row.isHeading) return false;
  requireNoMerge(next, (rowSpan) => rowSpan !== 1);
  return true;
}

function rowsThatFit(rows: readonly RowLayout[], repeated: readonly RowLayout[], free: number): number {
  let used = repeated.reduce((sum, { height }) => sum + height, 0);
  for (const [index, row] of rows.entries()) {
    used += row.height;
    if (used + borderBelow([row]) > free) return index;
    if (used + row.height > free && used + growthOf(row) > free)
      throw new UnknownFeature('a picture in a cell that is not aligned to its top at a page end');
  }
  return rows.length;
}

/**
 * How much a row may grow temporarily. LibreOffice moves the content of a cell down before it knows the height of the
 * text below a picture. A row that thereby leaves its page does not return.
 */
function growthOf({ cells }: RowLayout): number {
  return Math.max(0, ...cells.map((cell) => (cell.cell.alignment === 'top' ? 0 : heightBelowPicture(cell))));
}

function heightBelowPicture({ cell, stack, height }: RowLayout['cells'][number]): number {
  for (const item of stack.items)
    if (item.kind === 'line' && item.line.fragments.some(({ kind }) => kind === 'picture'))
      return height - cell.marginTop - item.top - item.line.height;
  return 0;
}

/**
 * Throws UnknownFeature if a page would end within merged cells before the row `below`, or where the borders of the
 * rows differ: LibreOffice draws some of these on both pages, and replaces missing ones by the table's.
 */
export function requireKnownCut(table: TableLayout, above: RowLayout | undefined, below: RowLayout | undefined): void {
  if (above === undefined || below === undefined) return;
  requireNoMerge(below, (rowSpan) => rowSpan === 0);
  for (const row of [above, ...headingsOf(table).slice(-1)])
    if (!haveSameBorder(row, below, table.hasBordersAcross))
      throw new UnknownFeature('borders that differ at a page end');
}

function haveSameBorder(above: RowLayout, below: RowLayout, isNeeded: boolean): boolean {
  return below.cells.every(({ cell: { borders }, left, width }) => {
    if (isNeeded && borders.top === undefined) return false;
    const touching = above.cells.filter((upper) => upper.left < left + width && upper.left + upper.width > left);
    return touching.every(({ cell }) => isSameBorder(cell.borders.bottom, borders.top) && !isDouble(borders.top));
  });
}

function isDouble(border: Border | undefined): boolean {
  return border !== undefined && border.lines.length > 1;
}

function requireNoMerge({ cells }: RowLayout, isUnknown: (rowSpan: number) => boolean): void {
  if (cells.some(({ cell }) => isUnknown(cell.rowSpan))) throw new UnknownFeature('merged cells at a page end');
}
