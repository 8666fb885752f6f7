import type { Executor } from '../../db/client.ts';
import { findFinished, startBundling } from './claim-bundle.ts';
import { failOverLimit } from './end-batch.ts';

/** What a call has ended. The caller continues both; a sweep does if it cannot. */
export interface BatchEnds {
  /** Batches that failed because too many rows did: cancel their waiting rows. */
  readonly failed: readonly string[];
  /** Batches whose bundle is due: enqueue it. */
  readonly bundling: readonly string[];
}

/**
 * Fails those of the batches that have too many failed rows, and starts the bundle of those whose rows have all ended.
 * `withFailures` are batches with newly failed rows, which may be over their limit before their end.
 */
export async function endFinishedBatches(
  db: Executor,
  batchIds: readonly string[],
  ttlSeconds: number,
  withFailures: readonly string[] = [],
): Promise<BatchEnds> {
  const finished = batchIds.length === 0 ? [] : await findFinished(db, batchIds);
  const suspects = [...new Set([...withFailures, ...finished])];
  const failed = suspects.length === 0 ? [] : await failOverLimit(db, suspects, ttlSeconds);
  return { failed, bundling: finished.length === 0 ? [] : await startBundling(db, finished) };
}
