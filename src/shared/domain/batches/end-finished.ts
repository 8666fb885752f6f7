import type { Executor } from '../../db/client.ts';
import { findFinished, startBundling } from './claim-bundle.ts';
import { failOverLimit } from './end-batch.ts';

/**
 * The batches that a call has ended. The caller takes the next step for both kinds; a sweep does so if the caller
 * fails.
 */
export interface BatchEnds {
  /** Batches that failed because of too many failed rows. The caller cancels their waiting rows. */
  readonly failed: readonly string[];
  /** Batches whose bundle is due. The caller enqueues it. */
  readonly bundling: readonly string[];
}

/**
 * Fails the batches that have too many failed rows, and starts the bundle of those whose rows have all ended.
 * `withFailures` are batches with newly failed rows, which may exceed their limit before all rows have ended.
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
