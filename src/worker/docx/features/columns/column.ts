import type { Expression } from '../../language/scope.ts';

/** Word opens no table with more columns. */
export const mostColumns = 63;

/** Columns of a table's grid that stand once for each item of a list, or only under a condition. */
export interface Column {
  readonly tag: string;
  readonly expression: Expression;
  readonly isInverted: boolean;
  /** Its first grid column, and how many it has. */
  readonly start: number;
  readonly span: number;
}

/** The `w:tblGrid` of a table with such columns; writing it decides how often each stands. */
export interface GridNode {
  readonly kind: 'grid';
  readonly mark?: undefined;
  readonly columns: readonly Column[];
  /** Of the grid columns of the template, in twentieths of a point. */
  readonly widths: readonly number[];
}

/** Width and span of one cell (`w:tcW`, `w:gridSpan`). */
export interface CellGridNode {
  readonly kind: 'cell-grid';
  readonly mark?: undefined;
  readonly grid: GridNode;
  readonly start: number;
  readonly span: number;
  /** The cell is part of a column, not across it. */
  readonly isInColumn: boolean;
}

/** The column that a repeated cell belongs to. */
export interface ColumnCell {
  readonly grid: GridNode;
  readonly column: Column;
}
