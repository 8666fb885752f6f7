import { maxJsonBytes } from '../http/read-json.ts';

export const batchLimits = {
  rows: 100_000,
  bytes: 1024 * 1024 * 1024,
  /** What is stored of all rows: each row of a CSV repeats the names of the columns. */
  storedBytes: 4 * 1024 * 1024 * 1024,
  /** As large as the body of one generate request. */
  rowBytes: maxJsonBytes,
  /** All that stands around `items` in the JSON form. */
  envelopeBytes: 1024 * 1024,
  /** What is kept in memory of all rows together: names, e-mails, options, problems. */
  keptBytes: 64 * 1024 * 1024,
  columns: 1_000,
  /** Without a byte of the body for so long, the request ends. */
  silenceMs: 60_000,
} as const;
