import { cancelWaiting } from '../../shared/domain/batches/cancel-batch.ts';
import type { BatchEnds } from '../../shared/domain/batches/end-finished.ts';
import type { WorkerDeps } from '../deps.ts';

export const rowsAtOnce = 500;

/** Cancels the waiting rows of failed batches, and enqueues the bundles of batches whose rows are all final. */
export async function followEnds(deps: WorkerDeps, { failed, bundling }: BatchEnds): Promise<void> {
  for (const batchId of bundling) {
    // failpoint: batch-bundling-before-job
    await deps.queues.add('bundle', batchId, { batchId });
    deps.logger.info({ batchId }, 'all rows of the batch are final; bundle queued');
  }
  for (const batchId of failed) {
    // failpoint: batch-failed-before-cancel
    deps.logger.info({ batchId }, 'batch failed: too many rows failed');
    while ((await cancelWaiting(deps.db, batchId, rowsAtOnce)) === rowsAtOnce);
  }
}
