/** Of the files that hold rows, as the attribute `accept` of an input has them. */
export const fileEndings = '.csv,.tsv,.txt,.ndjson,.jsonl,.json';

/** What the service accepts in one batch; a file beyond it is refused before it is sent. */
export const fileLimits = {
  rows: 100_000,
  bytes: 1024 * 1024 * 1024,
  /** Characters of one row. */
  rowLength: 10 * 1024 * 1024,
  columns: 1_000,
  /** Rows that a page keeps to show them. */
  keptRows: 100,
  /** Problems of rows that a page keeps. */
  keptProblems: 200,
} as const;
