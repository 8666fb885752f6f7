import { maxJsonBytes } from '../http/read-json.ts';

export const batchLimits = {
  rows: 100_000,
  bytes: 1024 * 1024 * 1024,
  /** The stored data of all rows. For CSV it exceeds the body, because each row repeats the column names. */
  storedBytes: 4 * 1024 * 1024 * 1024,
  /** The same as the body of one generate request. */
  rowBytes: maxJsonBytes,
  /** The JSON body without the elements of `items`. */
  envelopeBytes: 1024 * 1024,
  /** Names, e-mails, options and problems of all rows, which are held in memory. */
  heldBytes: 64 * 1024 * 1024,
  columns: 1_000,
  /** The request is aborted when no byte of the body arrives for this long. */
  idleMs: 60_000,
} as const;
