import { findBundling } from '../../shared/domain/batches/find-bundling.ts';
import type { WorkerDeps } from '../context.ts';

const batchesAtOnce = 500;

/** Queues the bundles that are due and have no live job. */
export async function recoverBundles(deps: WorkerDeps): Promise<void> {
  for (const batchId of await findBundling(deps.db, batchesAtOnce)) {
    if (!(await deps.queues.has('bundle', batchId))) await deps.queues.add('bundle', batchId, { batchId });
  }
}
