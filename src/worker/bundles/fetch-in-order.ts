import { setTimeout as delay } from 'node:timers/promises';
import type { BundleRow } from '../../shared/domain/batches/list-rows.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';

/** Read-ahead limits. While interactive callers are active, documents are read one by one with pauses. */
const aheadCount = 16;
const aheadCountWithCallers = 1;
const pauseWithCallersMs = 2;
const aheadBytes = 32 * 1024 * 1024;

export type BundleSource = Pick<WorkerDeps, 'objects' | 'yieldToInteractive' | 'hasRecentCallers'>;

export interface FetchedRow {
  readonly row: BundleRow;
  readonly bytes: Uint8Array;
}

interface Pending {
  readonly row: BundleRow;
  readonly sizeBytes: number;
  readonly bytes: Promise<Uint8Array>;
}

/**
 * Reads ahead and yields the documents of the succeeded rows, in order, with verified checksums. Throws when a document
 * is missing, since a bundle must be complete.
 */
export async function* fetchInOrder(
  { objects, yieldToInteractive = (work) => work(), hasRecentCallers = () => false }: BundleSource,
  rows: AsyncIterable<BundleRow>,
): AsyncGenerator<FetchedRow> {
  const pending: Pending[] = [];
  let pendingBytes = 0;
  const maxAhead = (): number => (hasRecentCallers() ? aheadCountWithCallers : aheadCount);
  for await (const row of rows) {
    if (row.status !== 'succeeded') continue;
    const sizeBytes = row.sizeBytes ?? 0;
    while (pending.length >= maxAhead() || (pending.length > 0 && pendingBytes + sizeBytes > aheadBytes)) {
      const next = pending.shift() as Pending;
      yield { row: next.row, bytes: await next.bytes };
      pendingBytes -= next.sizeBytes;
      if (hasRecentCallers()) await delay(pauseWithCallersMs);
    }
    pendingBytes += sizeBytes;
    const bytes = yieldToInteractive(() => read(objects, row));
    // Awaited later; this avoids an unhandled rejection until then.
    bytes.catch(() => undefined);
    pending.push({ row, sizeBytes, bytes });
  }
  for (const { row, bytes } of pending) yield { row, bytes: await bytes };
}

async function read(objects: WorkerDeps['objects'], row: BundleRow): Promise<Uint8Array> {
  const { resultKey, checksum } = row;
  const bytes = resultKey === undefined || checksum === undefined ? undefined : await objects.get(resultKey, checksum);
  if (bytes === undefined)
    throw new AppError('internal', `The document of row ${row.row} is missing from the file store.`);
  return bytes;
}
