import { abandonGeneration } from '../../shared/domain/generations/fail-generation.ts';
import {
  findUnfinishedGenerations,
  type UnfinishedGeneration,
} from '../../shared/domain/generations/find-unfinished.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxAttempts } from '../generation/run-attempt.ts';
import { forEach } from './for-each.ts';

const graceMs = 5_000;
const pageSize = 100;

const dataLost: ErrorRecord = {
  code: 'unavailable',
  message: 'The data for this document was lost before it was produced. Send the request again.',
};
const workerLost: ErrorRecord = {
  code: 'worker_lost',
  message: 'The document could not be produced: the workers processing it stopped unexpectedly.',
};
const tooLate: ErrorRecord = {
  code: 'unavailable',
  message: 'The document was not produced in time. Send the request again.',
};

/**
 * Enqueues accepted documents without a live job again, and fails those that can no longer be produced. Pages through all
 * unfinished documents, so that a lost one is found behind any backlog.
 */
export async function recoverGenerations(deps: WorkerDeps): Promise<void> {
  let after: UnfinishedGeneration | undefined;
  do {
    const page = await findUnfinishedGenerations(deps.db, { olderThanMs: graceMs, limit: pageSize, after });
    await forEach(deps, page, (generation) => recover(deps, generation));
    after = page.length === pageSize ? page.at(-1) : undefined;
  } while (after !== undefined);
}

async function recover(deps: WorkerDeps, generation: UnfinishedGeneration): Promise<void> {
  const { id, accountId, format, attempts, ageMs } = generation;
  const isTooOld = ageMs > deps.config.DOCUMENT_DEADLINE_SECONDS * 1_000;
  if (!isTooOld && (await deps.queues.has(format, id))) return;
  const reason = isTooOld ? tooLate : attempts >= maxAttempts ? workerLost : await missingData(deps, id);
  if (reason === undefined) {
    // failpoint: sweep-before-requeue
    await deps.queues.add(format, id, { generationId: id, accountId, replyTo: null });
    deps.logger.info({ generationId: id }, 'a document without a job was enqueued again');
  } else if (await abandonGeneration(deps.db, generation, reason)) {
    deps.logger.warn({ generationId: id, code: reason.code }, 'a document failed and was released');
  }
}

async function missingData(deps: WorkerDeps, id: string): Promise<ErrorRecord | undefined> {
  return (await deps.transient.has('data', id)) ? undefined : dataLost;
}
