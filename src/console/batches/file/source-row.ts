/** One row of a file, as written. */
export interface SourceRow {
  /** The text of the row without its line end; parsing it again gives the same row. */
  readonly text: string;
  /** Only for CSV. */
  readonly fields?: readonly string[];
  /** Counted from 1; in a JSON list, the number of the element. */
  readonly line: number;
}

/** Finds rows in text that arrives in chunks, wherever the chunks are cut. Throws FileError. */
export interface Scanner {
  readonly feed: (text: string) => readonly SourceRow[];
  readonly end: () => readonly SourceRow[];
}
