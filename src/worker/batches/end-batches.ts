import { cancelWaiting } from '../../shared/domain/batches/cancel-waiting.ts';
import { failOverLimit } from '../../shared/domain/batches/fail-over-limit.ts';
import { findFullyDispatched, startBundling } from '../../shared/domain/batches/start-bundling.ts';
import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import type { WorkerDeps } from '../deps.ts';

const batchesAtOnce = 100;
export const rowsAtOnce = 500;

/** Ends batches with too many failures, and moves those that are through on to their bundle. */
export async function endBatches(deps: WorkerDeps, lane: OutputFormat, moved: readonly string[]): Promise<void> {
  const handedOut = await findFullyDispatched(deps.db, lane, batchesAtOnce);
  const ttlSeconds = deps.config.RESULT_TTL_SECONDS;
  for (const batchId of await failOverLimit(deps.db, [...moved, ...handedOut], ttlSeconds)) {
    // failpoint: batch-failed-before-cancel
    deps.logger.info({ batchId }, 'a batch ended: more rows failed than it allows');
    while ((await cancelWaiting(deps.db, batchId, rowsAtOnce)) === rowsAtOnce);
  }
  for (const batchId of await startBundling(deps.db, handedOut)) {
    // failpoint: batch-bundling-before-job
    await deps.queues.add('bundle', batchId, { batchId });
    deps.logger.info({ batchId }, 'all rows of a batch have ended');
  }
}
