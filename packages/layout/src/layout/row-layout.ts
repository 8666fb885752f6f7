import type { Cell, Row } from '../document/tree.ts';
import type { Stack, StackHeights } from './stack.ts';

/** The layout of a row. Lengths are in twips. */
export interface RowLayout<S extends StackHeights = Stack> {
  readonly row: Row;
  /** The width of the widest border above the row. */
  readonly borderAbove: number;
  /** Includes the border above it. */
  readonly height: number;
  readonly cells: readonly CellLayout<S>[];
  /** The first paragraph of the first cell decides whether the row stays on the page of the next one. */
  readonly keepsWithNext: boolean;
  /** Whether that setting comes from the paragraph itself, not from its style. */
  readonly keepsItself: boolean;
  /** Whether it is the rest of a row that began on the previous page. */
  readonly isRest: boolean;
}

export interface CellLayout<S extends StackHeights = Stack> {
  readonly cell: Cell;
  /** The distance from the left edge of the table to the middle of its borders. */
  readonly left: number;
  readonly width: number;
  readonly stack: S;
  /** The height of its content including its margins. */
  readonly height: number;
}
