import { createHash } from 'node:crypto';
import type { BatchFile } from '../../shared/db/schema/batches.ts';
import type { ClaimedBundle } from '../../shared/domain/batches/claim-bundle.ts';
import { createFileNamer } from '../../shared/domain/batches/file-names.ts';
import { type BundleRow, listBundleRows, type RowRange } from '../../shared/domain/batches/list-rows.ts';
import { manifestCsv, toManifest } from '../../shared/domain/batches/manifest.ts';
import { pdfType, zipType } from '../../shared/storage/media-types.ts';
import type { WorkerDeps } from '../deps.ts';
import { mergePdfs } from '../pdf/merge/merge-pdfs.ts';
import type { MergeInput } from '../pdf/merge/messages.ts';
import { type BundleSource, fetchInOrder } from './fetch-in-order.ts';
import { planVolumes, type VolumeLimits } from './plan-volumes.ts';
import { writeZip, type ZipFile } from './write-zip.ts';

interface Plan {
  readonly name: string;
  readonly contentType: string;
  readonly range: RowRange;
  readonly write: () => AsyncIterable<Uint8Array>;
}

type Deps = BundleSource & Pick<WorkerDeps, 'db'>;

/**
 * Writes the files of a batch to the file store, under keys unique to this attempt. Calls `onStored` after each file.
 */
export async function makeFiles(
  deps: Deps,
  batch: ClaimedBundle,
  onStored: (file: BatchFile) => void,
  limits?: VolumeLimits,
): Promise<void> {
  for (const [index, plan] of (await planFiles(deps, batch, limits)).entries()) {
    const objectKey = `batches/${batch.accountId}/${batch.id}/${batch.bundleToken}/${index + 1}`;
    const { checksum, sizeBytes } = await store(deps, objectKey, plan);
    const { name, contentType, range } = plan;
    onStored({ name, objectKey, sizeBytes, checksum, contentType, ...range });
  }
}

async function planFiles(deps: Deps, batch: ClaimedBundle, limits: VolumeLimits | undefined): Promise<Plan[]> {
  const rows = () => listBundleRows(deps.db, batch.id);
  const stem = batch.bundleName.replace(/\.(zip|pdf)$/i, '');
  switch (batch.bundle) {
    case 'none':
      return [];
    case 'zip': {
      const range = await rowsOf(rows());
      return [{ name: `${stem}.zip`, contentType: zipType, range, write: () => zipBundle(deps, batch) }];
    }
    case 'pdf': {
      const ranges = await planVolumes(rows(), limits);
      return ranges.map((range, index) => {
        const title = ranges.length === 1 ? stem : `${stem}-${index + 1}`;
        const write = () => mergeVolume(deps, { batchId: batch.id, title, range });
        return { name: `${title}.pdf`, contentType: pdfType, range, write };
      });
    }
  }
}

async function rowsOf(rows: AsyncIterable<{ readonly row: number }>): Promise<RowRange> {
  let lastRow = 0;
  for await (const { row } of rows) lastRow = row;
  return { firstRow: 1, lastRow };
}

async function store({ objects }: Deps, objectKey: string, { contentType, write }: Plan) {
  const digest = createHash('sha256');
  const sizeBytes = await objects.putStream(objectKey, hashed(write(), digest), contentType);
  return { checksum: digest.digest('hex'), sizeBytes };
}

async function* hashed(
  stream: AsyncIterable<Uint8Array>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    digest.update(chunk);
    yield chunk;
  }
}

const heapMb = 512;
const timeoutMs = 900_000;

/** Merges the documents of these rows into one PDF, in order, with a bookmark for each. */
function mergeVolume(
  deps: Pick<WorkerDeps, 'db' | 'objects'>,
  { batchId, title, range }: { readonly batchId: string; readonly title: string; readonly range: RowRange },
): AsyncIterable<Uint8Array> {
  return mergePdfs(documents(deps, batchId, range), { title, heapMb, timeoutMs });
}

async function* documents(
  deps: Pick<WorkerDeps, 'db' | 'objects'>,
  batchId: string,
  range: RowRange,
): AsyncGenerator<MergeInput> {
  const nameOf = createFileNamer();
  for await (const { row, bytes } of fetchInOrder(deps, listBundleRows(deps.db, batchId, range))) {
    yield { row: row.row, title: nameOf(row).replace(/\.[a-z]+$/, ''), bytes };
  }
}

interface ZipBatch {
  readonly id: string;
  /** Timestamp of every entry, so that repeated attempts write the same bytes. */
  readonly acceptedAt: Date;
}

/** An uncompressed zip of the documents in row order, followed by `manifest.csv` with all rows. */
function zipBundle(deps: BundleSource & Pick<WorkerDeps, 'db'>, batch: ZipBatch): AsyncIterable<Uint8Array> {
  return writeZip(files(deps, batch.id), batch.acceptedAt);
}

async function* files(deps: BundleSource & Pick<WorkerDeps, 'db'>, batchId: string): AsyncGenerator<ZipFile> {
  const nameOf = createFileNamer();
  const rows = (): AsyncIterable<BundleRow> => listBundleRows(deps.db, batchId);
  for await (const { row, bytes } of fetchInOrder(deps, rows())) yield { name: nameOf(row), bytes };
  yield { name: 'manifest.csv', bytes: manifestCsv(toManifest(rows())) };
}
