import { cancelWaiting, findHalfCancelled } from '../../shared/domain/batches/cancel-waiting.ts';
import { findStaleFlights, recallRows, type StaleFlight } from '../../shared/domain/batches/recall-rows.ts';
import { abandonGeneration } from '../../shared/domain/generations/fail-generation.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import { rowsAtOnce } from '../batches/end-batches.ts';
import type { WorkerDeps } from '../context.ts';
import { maxAttempts } from '../generation/run-attempt.ts';
import { forEach } from './for-each.ts';

const graceMs = 5_000;
const batchesAtOnce = 100;

const workerLost: ErrorRecord = {
  code: 'worker_lost',
  message: 'The document could not be made: its workers were lost.',
};

/** Puts rows whose job is lost back in line, and gives back what an ended batch still holds. */
export async function recoverBatches(deps: WorkerDeps): Promise<void> {
  await forEach(deps, await findStaleFlights(deps.db, graceMs), (flight) => recover(deps, flight));
  for (const batchId of await findHalfCancelled(deps.db, batchesAtOnce)) {
    while ((await cancelWaiting(deps.db, batchId, rowsAtOnce)) === rowsAtOnce);
    deps.logger.info({ batchId }, 'the rest of an ended batch was given back');
  }
}

async function recover(deps: WorkerDeps, flight: StaleFlight): Promise<void> {
  const { id, lane, attempts } = flight;
  if (await deps.queues.has(`${lane}-batch`, id)) return;
  if (attempts < maxAttempts) {
    if ((await recallRows(deps.db, [id])) > 0)
      deps.logger.info({ generationId: id }, 'a row without a job waits again');
  } else if (await abandonGeneration(deps.db, flight, workerLost)) {
    deps.logger.warn({ generationId: id, code: workerLost.code }, 'a row was given back');
  }
}
