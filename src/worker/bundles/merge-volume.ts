import { createFileNamer } from '../../shared/domain/batches/file-names.ts';
import { listBundleRows, type RowRange } from '../../shared/domain/batches/list-bundle-rows.ts';
import type { WorkerDeps } from '../context.ts';
import type { MergeInput } from '../pdf/merge/frames.ts';
import { mergePdfs } from '../pdf/merge/merge-process.ts';
import { fetchInOrder } from './fetch-in-order.ts';

const heapMb = 512;
const timeoutMs = 900_000;

/** One PDF of the documents of these rows, in their order, with a bookmark for each. */
export function mergeVolume(
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
