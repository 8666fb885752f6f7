import { cancelWaiting, findJustCancelled, findPartlyCancelled } from '../../shared/domain/batches/cancel-batch.ts';
import { findBundling, findOpenBatches } from '../../shared/domain/batches/claim-bundle.ts';
import { engineOf, jobQueueOf } from '../../shared/domain/batches/dispatch/batch-queue.ts';
import { findStaleRows, requeueRows, type StaleRow } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import { endFinishedBatches } from '../../shared/domain/batches/end-finished.ts';
import { abandonDocument } from '../../shared/domain/documents/fail-document.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import { createEngineRegistry } from '../../shared/queue/engine-registry.ts';
import { rowJobId } from '../../shared/queue/row-job-id.ts';
import { followEnds, rowsAtOnce } from '../batches/end-batches.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxAttempts } from '../documents/fail-attempt.ts';
import { forEach } from './for-each.ts';
import { walk } from './walk.ts';

const graceMs = 5_000;
const batchesAtOnce = 100;
const bundlesAtOnce = 200;

const workerLost: ErrorRecord = {
  code: 'worker_lost',
  message: 'The workers that processed the document stopped unexpectedly. Retry the row, or report it to the operator.',
};

/**
 * Requeues in-flight rows whose job is lost, and rows that wait for an engine that no worker has any more. Rows that
 * wait in PostgreSQL have no job, so the cost does not depend on their number.
 */
export async function recoverRows(deps: WorkerDeps): Promise<void> {
  const found = await findStaleRows(deps.db, graceMs);
  const rows = await withoutStranded(deps, found);
  for (const queue of ['docx-batch', 'pdf-batch'] as const) {
    const jobs = new Map(
      rows.filter((row) => jobQueueOf(row.format) === queue).map((row) => [rowJobId(row.id, row.dispatchedAt), row]),
    );
    if (jobs.size === 0) continue;
    const missing = await deps.queues.findMissing(queue, [...jobs.keys()]);
    await recover(
      deps,
      missing.flatMap((jobId) => jobs.get(jobId) ?? []),
    );
  }
}

/** Returns rows from the queues of engines without a worker to the dispatcher, which follows the current pin. */
async function withoutStranded(deps: WorkerDeps, rows: readonly StaleRow[]): Promise<readonly StaleRow[]> {
  if (rows.every(({ format }) => engineOf(format) === null)) return rows;
  const served = await createEngineRegistry(deps.redis, deps.config.QUEUE_PREFIX, 'pdf-batch').read();
  const isStranded = ({ format, status }: StaleRow): boolean => {
    const engine = engineOf(format);
    return engine !== null && status === 'queued' && !served.has(engine);
  };
  await forEach(deps, rows.filter(isStranded), async ({ id, dispatchedAt, format }) => {
    await deps.queues.withdraw('pdf-batch', rowJobId(id, dispatchedAt), engineOf(format));
    await requeueRows(deps.db, [id]);
  });
  return rows.filter((row) => !isStranded(row));
}

async function recover(deps: WorkerDeps, lost: readonly StaleRow[]): Promise<void> {
  const retried = lost.filter(({ attempts }) => attempts < maxAttempts);
  if (retried.length > 0) {
    const rows = await requeueRows(
      deps.db,
      retried.map(({ id }) => id),
    );
    deps.logger.info({ rows }, 'rows without a job are dispatched again');
  }
  await forEach(
    deps,
    lost.filter(({ attempts }) => attempts >= maxAttempts),
    async (row) => {
      if (await abandonDocument(deps.db, row, workerLost))
        deps.logger.warn({ documentId: row.id, code: workerLost.code }, 'a row failed and was released');
    },
  );
}

/** Releases the remaining reservations of cancelled or failed batches, the latest first. */
export async function releaseRows(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  await release(deps, await findJustCancelled(deps.db, batchesAtOnce), untilMs);
  await walk(deps, 'aborted-batches', untilMs, async (after) => {
    const { partly, next } = await findPartlyCancelled(deps.db, after, batchesAtOnce);
    await release(deps, partly, untilMs);
    return { next, hadWork: partly.length > 0 };
  });
}

async function release(deps: WorkerDeps, batchIds: readonly string[], untilMs: number): Promise<void> {
  for (const batchId of batchIds) {
    while ((await cancelWaiting(deps.db, batchId, rowsAtOnce)) === rowsAtOnce && performance.now() < untilMs);
    deps.logger.info({ batchId }, 'the remaining rows of an ended batch were released');
  }
}

/** Ends batches that no round of the dispatcher has ended, for example because none of their rows was dispatched. */
export async function endOpenBatches(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  await walk(deps, 'open-batches', untilMs, async (after) => {
    const { ids, next } = await findOpenBatches(deps.db, after, batchesAtOnce);
    const ends = await endFinishedBatches(deps.db, ids, deps.config.RESULT_TTL_SECONDS);
    await followEnds(deps, ends);
    return { next, hadWork: ends.bundling.length > 0 };
  });
}

/** Enqueues the bundles that are due and have no live job. */
export async function recoverBundles(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  await walk(deps, 'bundles', untilMs, async (after) => {
    const { ids, next } = await findBundling(deps.db, after, bundlesAtOnce);
    const missing = ids.length === 0 ? [] : await deps.queues.findMissing('bundle', ids);
    await deps.queues.addMany(
      'bundle',
      missing.map((batchId) => ({ jobId: batchId, payload: { batchId } })),
    );
    return { next, hadWork: missing.length > 0 };
  });
}
