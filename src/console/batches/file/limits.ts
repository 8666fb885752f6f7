/** The endings of the files that hold rows, for the `accept` attribute of an input. */
export const fileEndings = '.csv,.tsv,.txt,.ndjson,.jsonl,.json';

/** The service's limits for one batch; larger files are refused before they are sent. */
export const fileLimits = {
  rows: 100_000,
  bytes: 1024 * 1024 * 1024,
  /** Characters of one row. */
  rowLength: 10 * 1024 * 1024,
  columns: 1_000,
  /** The number of rows that a page keeps for display. */
  keptRows: 100,
  /** The number of row problems that a page keeps. */
  keptProblems: 200,
  /** The number of cells without a value that a page keeps, to be corrected. */
  keptCells: 1_000,
} as const;
