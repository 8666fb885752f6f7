import { createFileNamer } from '../../shared/domain/batches/file-names.ts';
import { type BundleRow, listBundleRows } from '../../shared/domain/batches/list-bundle-rows.ts';
import { manifestCsv, toManifest } from '../../shared/domain/batches/manifest.ts';
import type { WorkerDeps } from '../context.ts';
import { type BundleSource, fetchInOrder } from './fetch-in-order.ts';
import { writeZip, type ZipFile } from './write-zip.ts';

export interface ZipBatch {
  readonly id: string;
  /** The time that all entries carry, so that two attempts write the same bytes. */
  readonly acceptedAt: Date;
}

/**
 * One zip of the documents of a batch in the order of its rows, stored as they are (they are compressed already), and at
 * its end `manifest.csv` with every row, also those that failed. Zip64 where it must be.
 */
export function zipBundle(deps: BundleSource & Pick<WorkerDeps, 'db'>, batch: ZipBatch): AsyncIterable<Uint8Array> {
  return writeZip(files(deps, batch.id), batch.acceptedAt);
}

async function* files(deps: BundleSource & Pick<WorkerDeps, 'db'>, batchId: string): AsyncGenerator<ZipFile> {
  const nameOf = createFileNamer();
  const rows = (): AsyncIterable<BundleRow> => listBundleRows(deps.db, batchId);
  for await (const { row, bytes } of fetchInOrder(deps, rows())) yield { name: nameOf(row), bytes };
  yield { name: 'manifest.csv', bytes: manifestCsv(toManifest(rows())) };
}
