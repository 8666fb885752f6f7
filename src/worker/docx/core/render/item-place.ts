/** Where a section's item stands among its siblings, and whether every section around it is at its first item. */
export interface ItemPlace {
  readonly index: number;
  readonly count: number;
  readonly isFirstOfAll: boolean;
}
