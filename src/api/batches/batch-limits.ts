import { maxJsonBytes } from '../http/read-json.ts';

export const batchLimits = {
  rows: 100_000,
  bytes: 1024 * 1024 * 1024,
  /** Stored data of all rows: each row of a CSV repeats the names of the columns. */
  storedBytes: 4 * 1024 * 1024 * 1024,
  /** As large as the body of one generate request. */
  rowBytes: maxJsonBytes,
  /** The JSON form without the elements of `items`. */
  envelopeBytes: 1024 * 1024,
  /** Held in memory for all rows together: names, e-mails, options, problems. */
  keptBytes: 64 * 1024 * 1024,
  columns: 1_000,
  /** The request ends when no byte of the body arrives for this long. */
  idleMs: 60_000,
} as const;
