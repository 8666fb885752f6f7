import { cancelWaiting } from '../../shared/domain/batches/cancel-batch.ts';
import { findFullyDispatched, startBundling } from '../../shared/domain/batches/claim-bundle.ts';
import { failOverLimit } from '../../shared/domain/batches/end-batch.ts';
import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import type { WorkerDeps } from '../deps.ts';

const batchesAtOnce = 100;
export const rowsAtOnce = 500;

/** Fails batches with too many failed rows, and starts bundling those whose rows are all final. */
export async function endBatches(deps: WorkerDeps, format: OutputFormat, changed: readonly string[]): Promise<void> {
  const dispatched = await findFullyDispatched(deps.db, format, batchesAtOnce);
  const ttlSeconds = deps.config.RESULT_TTL_SECONDS;
  for (const batchId of await failOverLimit(deps.db, [...changed, ...dispatched], ttlSeconds)) {
    // failpoint: batch-failed-before-cancel
    deps.logger.info({ batchId }, 'batch failed: too many rows failed');
    while ((await cancelWaiting(deps.db, batchId, rowsAtOnce)) === rowsAtOnce);
  }
  for (const batchId of await startBundling(deps.db, dispatched)) {
    // failpoint: batch-bundling-before-job
    await deps.queues.add('bundle', batchId, { batchId });
    deps.logger.info({ batchId }, 'all rows of the batch are final; bundle queued');
  }
}
