import type { ActualGrid } from '../../features/columns/actual-grid.ts';
import type { GridNode } from '../../features/columns/column.ts';
import type { HtmlPlace } from '../../features/html/settle-html.ts';
import type { MergeGroup } from '../../features/tables/merge.ts';
import type { Mark } from '../structure.ts';

/** The XML of one part while it is written: pieces in order, and the places that may need mending. */
export class Output {
  readonly pieces: string[] = [];
  readonly markAt: number[] = [];
  readonly marks: Mark[] = [];
  /** The copies of merged cells that have begun: one, or one for each copy of a column. */
  readonly merges = new Map<MergeGroup, Set<number>>();
  /** Of the tables with columns that data repeats, as each was begun last. */
  readonly grids = new Map<GridNode, ActualGrid>();
  readonly html: HtmlPlace[] = [];

  mark(mark: Mark): void {
    this.markAt.push(this.pieces.length);
    this.marks.push(mark);
  }
}
