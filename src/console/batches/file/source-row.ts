/** One row of a file, as written. */
export interface SourceRow {
  /** The text of the row without its line end: the same text makes the same row again. */
  readonly text: string;
  /** Of CSV. */
  readonly fields?: readonly string[];
  /** Counted from 1; of a JSON list: which element. */
  readonly line: number;
}

/** Finds rows in text that arrives in pieces, wherever the pieces are cut. Throws FileError. */
export interface Scanner {
  readonly feed: (text: string) => readonly SourceRow[];
  readonly end: () => readonly SourceRow[];
}
