import { isTruthy } from '../../language/print-value.ts';
import type { Expression, Scope } from '../../language/scope.ts';
import type { CellGridNode, Column, GridNode } from './column.ts';

/** The list or condition of a column, as it is where the table begins. */
export interface ColumnValue {
  readonly value: unknown;
  /** Tells where the value stands in the data, wherever a cell asks. */
  readonly source: Expression;
}

/** The grid of one table while it is written. */
export interface ActualGrid {
  readonly values: ReadonlyMap<Column, ColumnValue>;
  /** How often each grid column of the template stands. */
  readonly counts: readonly number[];
  /** Of each grid column of the template, in twentieths of a point, so that the table stays as wide as it was. */
  readonly widths: readonly number[];
}

export function actualGrid(
  { columns, widths }: GridNode,
  scope: Scope,
  evaluate: (column: Column) => unknown,
): ActualGrid {
  const counts = widths.map(() => 1);
  const values = new Map<Column, ColumnValue>();
  for (const column of columns) {
    const value = evaluate(column);
    const { expression, isInverted, start, span } = column;
    values.set(column, { value, source: sourceOf(value, expression, scope) });
    const count = isTruthy(value) === isInverted ? 0 : Array.isArray(value) && !isInverted ? value.length : 1;
    counts.fill(count, start, start + span);
  }
  const before = widths.reduce((sum, width) => sum + width, 0);
  const after = widths.reduce((sum, width, i) => sum + width * (counts[i] ?? 1), 0);
  const scale = after === 0 ? 1 : before / after;
  return { values, counts, widths: widths.map((width) => Math.max(1, Math.round(width * scale))) };
}

function sourceOf(value: unknown, expression: Expression, scope: Scope): Expression {
  const path = () => expression.locate(scope);
  return {
    evaluate: () => value,
    locate: path,
    locateItem: (_, item, index) => expression.locateItem?.(scope, item, index) ?? `${path()}[${index}]`,
    uses: () => [],
  };
}

export function columnCount({ counts }: ActualGrid): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

export function gridXml({ counts, widths }: ActualGrid): string {
  const columns = widths.map((width, i) => `<w:gridCol w:w="${width}"/>`.repeat(counts[i] ?? 1));
  return `<w:tblGrid>${columns.join('')}</w:tblGrid>`;
}

/** `w:tcW` and `w:gridSpan` of a cell; in a column it has the width of one copy. */
export function cellGridXml({ start, span, isInColumn }: CellGridNode, { counts, widths }: ActualGrid): string {
  let columns = 0;
  let width = 0;
  for (let i = start; i < start + span; i++) {
    const count = isInColumn ? 1 : (counts[i] ?? 1);
    columns += count;
    width += (widths[i] ?? 0) * count;
  }
  const wide = `<w:tcW w:w="${width}" w:type="dxa"/>`;
  return columns > 1 ? `${wide}<w:gridSpan w:val="${columns}"/>` : wide;
}
