import { createHash } from 'node:crypto';
import type { ClaimedBundle } from '../../shared/domain/batches/claim-bundle.ts';
import type { BatchFile } from '../../shared/domain/batches/complete-batch.ts';
import { listBundleRows, type RowRange } from '../../shared/domain/batches/list-bundle-rows.ts';
import { pdfType, zipType } from '../../shared/storage/content-types.ts';
import type { WorkerDeps } from '../context.ts';
import type { BundleSource } from './fetch-in-order.ts';
import { mergeVolume } from './merge-volume.ts';
import { planVolumes, type VolumeLimits } from './plan-volumes.ts';
import { zipBundle } from './zip-bundle.ts';

interface Plan {
  readonly name: string;
  readonly contentType: string;
  readonly range: RowRange;
  readonly write: () => AsyncIterable<Uint8Array>;
}

type Deps = BundleSource & Pick<WorkerDeps, 'db'>;

/**
 * Makes the files of a batch and puts them into the file store, under keys that belong to this attempt alone; each is told
 * to `onStored` as soon as it is there.
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
