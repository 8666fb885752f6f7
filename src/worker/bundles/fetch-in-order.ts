import { setTimeout as delay } from 'node:timers/promises';
import type { BundleRow } from '../../shared/domain/batches/list-bundle-rows.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';

/**
 * At most so many documents, and so many bytes of them unless one alone is larger, are read ahead. While callers are about,
 * one by one and with pauses: reading takes the file store and this process as much as they give.
 */
const aheadCount = 16;
const aheadCountBesideCallers = 1;
const pauseBesideCallersMs = 2;
const aheadBytes = 32 * 1024 * 1024;

export type BundleSource = Pick<WorkerDeps, 'objects' | 'step' | 'areCallersAbout'>;

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
  { objects, step = (work) => work(), areCallersAbout = () => false }: BundleSource,
  rows: AsyncIterable<BundleRow>,
): AsyncGenerator<FetchedRow> {
  const coming: Coming[] = [];
  let waitingBytes = 0;
  const mostAhead = (): number => (areCallersAbout() ? aheadCountBesideCallers : aheadCount);
  for await (const row of rows) {
    if (row.status !== 'succeeded') continue;
    const sizeBytes = row.sizeBytes ?? 0;
    while (coming.length >= mostAhead() || (coming.length > 0 && waitingBytes + sizeBytes > aheadBytes)) {
      const next = coming.shift() as Coming;
      yield { row: next.row, bytes: await next.bytes };
      waitingBytes -= next.sizeBytes;
      if (areCallersAbout()) await delay(pauseBesideCallersMs);
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
