/** Cells of one grid column that the template merges vertically, in rows that sections repeat or leave out. */
export interface MergeGroup {
  readonly column: number;
}

/** `w:vMerge` of one cell: the first of its group that is written begins the merged cell, the others go on with it. */
export interface MergeNode {
  readonly kind: 'merge';
  readonly mark?: undefined;
  readonly group: MergeGroup;
  /** The cell stands in a column that repeats; each copy of the column has a merged cell of its own. */
  readonly isInColumn?: boolean;
}

/** From here on the groups begin anew: the next item of the section that is around all their rows. */
export interface MergeResetNode {
  readonly kind: 'merge-reset';
  readonly mark?: undefined;
  readonly groups: readonly MergeGroup[];
}
