import { type BatchQueue, engineOf, jobQueueOf } from '../../shared/domain/batches/dispatch/batch-queue.ts';
import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import { abandonDocument } from '../../shared/domain/documents/fail-document.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import { rowJobId } from '../../shared/queue/row-job-id.ts';
import { traceFields } from '../../shared/request-trace.ts';
import type { WorkerDeps } from '../deps.ts';
import { type PlannedRead, type PlannedRow, planReads } from './plan-reads.ts';

/** Longer than any row waits in a queue, so that only data left behind by a crash expires. */
const dataTtlSeconds = 86_400;
const maxReadBytes = 4 * 1024 * 1024;

const inputLost: ErrorRecord = {
  code: 'unavailable',
  message: 'The data for this row was lost before its document was produced. Send the row again in a new batch.',
};

export type EnqueueDeps = Pick<WorkerDeps, 'db' | 'logger' | 'objects' | 'queues' | 'transient'>;

/** Adds rows to their queue: data first, then the job. Rows that cannot be added are dispatched again later. */
export async function enqueueRows(deps: EnqueueDeps, queue: BatchQueue, rows: readonly PlannedRow[]): Promise<void> {
  const reads = planReads(rows, maxReadBytes);
  for (const [index, read] of reads.entries()) {
    try {
      await enqueue(deps, queue, read);
    } catch (error) {
      const requeued = reads.slice(index).flatMap((one) => one.rows.map(({ documentId }) => documentId));
      deps.logger.warn(
        { err: error, rows: requeued.length },
        'batch rows could not be enqueued; they are dispatched again later',
      );
      await requeueRows(deps.db, requeued);
      throw error;
    }
  }
}

async function enqueue(deps: EnqueueDeps, queue: BatchQueue, read: PlannedRead): Promise<void> {
  const bytes = await deps.objects.getRange(read.inputKey, read.offset, read.sizeBytes);
  if (bytes === undefined) return await abandonRows(deps, read);
  await Promise.all(
    read.rows.map(({ documentId, dataOffset, dataBytes }) => {
      const start = dataOffset - read.offset;
      return deps.transient.put('data', documentId, bytes.subarray(start, start + dataBytes), dataTtlSeconds);
    }),
  );
  // failpoint: batch-data-before-job
  await deps.queues.addMany(
    jobQueueOf(queue),
    read.rows.map(({ documentId, dispatchedAt, trace }) => ({
      jobId: rowJobId(documentId, dispatchedAt),
      payload: { documentId, replyTo: null, trace },
    })),
    engineOf(queue),
  );
}

async function abandonRows(deps: EnqueueDeps, { inputKey, rows }: PlannedRead): Promise<void> {
  const first = rows[0];
  deps.logger.error(
    { ...traceFields(first?.trace), batchId: first?.batchId, inputKey, rows: rows.length },
    'the input object of a batch is missing',
  );
  for (const { documentId, attempts } of rows) {
    await abandonDocument(deps.db, { id: documentId, attempts }, inputLost);
  }
}
