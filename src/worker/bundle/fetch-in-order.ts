import type { BundleRow } from '../../shared/domain/batches/list-bundle-rows.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../context.ts';

/** At most so many documents, and so many bytes of them unless one alone is larger, are read ahead. */
const aheadCount = 16;
const aheadBytes = 32 * 1024 * 1024;

export interface FetchedRow {
  readonly row: BundleRow;
  readonly bytes: Uint8Array;
}

interface Coming {
  readonly row: BundleRow;
  readonly sizeBytes: number;
  readonly bytes: Promise<Uint8Array>;
}

/**
 * The documents of the rows that have one, checked and in their order; some are read ahead while one is used. Throws when
 * one is missing: a bundle has all that was made or does not exist.
 */
export async function* fetchInOrder(
  { objects, step = (work) => work() }: Pick<WorkerDeps, 'objects' | 'step'>,
  rows: AsyncIterable<BundleRow>,
): AsyncGenerator<FetchedRow> {
  const coming: Coming[] = [];
  let waitingBytes = 0;
  for await (const row of rows) {
    if (row.status !== 'succeeded') continue;
    const sizeBytes = row.sizeBytes ?? 0;
    while (coming.length >= aheadCount || (coming.length > 0 && waitingBytes + sizeBytes > aheadBytes)) {
      const next = coming.shift() as Coming;
      yield { row: next.row, bytes: await next.bytes };
      waitingBytes -= next.sizeBytes;
    }
    waitingBytes += sizeBytes;
    const bytes = step(() => read(objects, row));
    // Seen when its turn comes; until then it is nobody's unhandled rejection.
    bytes.catch(() => undefined);
    coming.push({ row, sizeBytes, bytes });
  }
  for (const { row, bytes } of coming) yield { row, bytes: await bytes };
}

async function read(objects: WorkerDeps['objects'], row: BundleRow): Promise<Uint8Array> {
  const { resultKey, checksum } = row;
  const bytes = resultKey === undefined || checksum === undefined ? undefined : await objects.get(resultKey, checksum);
  if (bytes === undefined) throw new AppError('internal', `The document of row ${row.row} is not in the file store.`);
  return bytes;
}
