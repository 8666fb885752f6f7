import { cancelWaiting, findPartlyCancelled } from '../../shared/domain/batches/cancel-batch.ts';
import { findBundling } from '../../shared/domain/batches/claim-bundle.ts';
import { findStaleRows, requeueRows, type StaleRow } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import { abandonGeneration } from '../../shared/domain/generations/fail-generation.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import { rowsAtOnce } from '../batches/end-batches.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxAttempts } from '../generation/run-attempt.ts';
import { forEach } from './for-each.ts';

const graceMs = 5_000;
const batchesAtOnce = 100;
const bundlesAtOnce = 500;

const workerLost: ErrorRecord = {
  code: 'worker_lost',
  message: 'The document could not be produced: the workers processing it stopped unexpectedly.',
};

/** Requeues rows whose job is lost, and releases the remaining reservations of ended batches. */
export async function recoverBatches(deps: WorkerDeps): Promise<void> {
  await forEach(deps, await findStaleRows(deps.db, graceMs), (row) => recover(deps, row));
  for (const batchId of await findPartlyCancelled(deps.db, batchesAtOnce)) {
    while ((await cancelWaiting(deps.db, batchId, rowsAtOnce)) === rowsAtOnce);
    deps.logger.info({ batchId }, 'the remaining rows of an ended batch were released');
  }
}

async function recover(deps: WorkerDeps, row: StaleRow): Promise<void> {
  const { id, format, attempts } = row;
  if (await deps.queues.has(`${format}-batch`, id)) return;
  if (attempts < maxAttempts) {
    if ((await requeueRows(deps.db, [id])) > 0)
      deps.logger.info({ generationId: id }, 'a row without a job is dispatched again');
  } else if (await abandonGeneration(deps.db, row, workerLost)) {
    deps.logger.warn({ generationId: id, code: workerLost.code }, 'a row failed and was released');
  }
}

/** Enqueues the bundles that are due and have no live job. */
export async function recoverBundles(deps: WorkerDeps): Promise<void> {
  for (const batchId of await findBundling(deps.db, bundlesAtOnce)) {
    if (!(await deps.queues.has('bundle', batchId))) await deps.queues.add('bundle', batchId, { batchId });
  }
}
