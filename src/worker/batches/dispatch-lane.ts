import { fillQueue } from '../../shared/domain/batches/dispatch/fill-queue.ts';
import { hasWork } from '../../shared/domain/batches/dispatch/has-work.ts';
import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import type { WorkerDeps } from '../context.ts';
import { endBatches } from './end-batches.ts';
import { handOver } from './hand-over.ts';

/** So much work waits in a lane for each row that is being made: enough that no worker waits for a round. */
const aheadUs = 500_000;
const megabyte = 1024 * 1024;

/**
 * One round for a lane: takes note of rows that have ended, hands out those whose turn it is, ends batches that are
 * through. False when there is nothing to do.
 */
export async function dispatchLane(deps: WorkerDeps, lane: OutputFormat): Promise<boolean> {
  const { config, db } = deps;
  if (!(await hasWork(db, lane))) return false;
  const filling = await fillQueue(db, lane, {
    rows: config.BATCH_WINDOW,
    accountRows: config.BATCH_ACCOUNT_LIMIT,
    bytes: config.BATCH_WINDOW_MB * megabyte,
    aheadUs,
  });
  if (filling === undefined) return true;
  // failpoint: batch-dispatched-before-data
  await handOver(deps, lane, filling.rows);
  for (const id of filling.finished.flatMap(({ unsuccessfulIds }) => unsuccessfulIds)) {
    await deps.transient.remove('data', id).catch(() => undefined);
  }
  await endBatches(
    deps,
    lane,
    filling.finished.map(({ batchId }) => batchId),
  );
  return true;
}
