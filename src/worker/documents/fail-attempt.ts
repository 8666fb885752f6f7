import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { failDocument } from '../../shared/domain/documents/fail-document.ts';
import { AppError, toErrorRecord } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { isSlotLost } from '../engine-error.ts';
import { type JobRun, noteJob } from '../job-run.ts';
import { retryOnOutage } from '../retry-on-outage.ts';
import { sendFailure } from './send-reply.ts';
import { recordFailure } from './template-suspension.ts';

export const maxAttempts = 3;
/** Maximum attempts at a document that crashes its engine. One that exceeds a time limit is not retried. */
const maxCrashes = 2;

/** Ends an attempt that failed. Throws to retry. Returns true if the document has failed. */
export async function failAttempt(
  deps: WorkerDeps,
  job: JobRun,
  { document, replyTo, error }: { document: ClaimedDocument; replyTo: string | null; error: unknown },
): Promise<boolean> {
  const isLost = isSlotLost(error);
  if (isLost && error.code !== 'document_quarantined') await recordFailure(deps, job, document, error);
  const isWorthRetrying = error instanceof AppError ? error.retry : true;
  if (isWorthRetrying && document.attempts < (isLost ? maxCrashes : maxAttempts)) {
    // A batch row returns to the dispatcher, so that slow failures of one account do not delay other accounts.
    const { code } = toErrorRecord(error);
    deps.metrics.document(document.format, 'retried', code);
    if ((await requeueRows(deps.db, [document.id], document).catch(() => 0)) === 0) throw error;
    noteJob(job, { outcome: 'retried', errorCode: code });
    job.logger.warn({ err: error }, 'a row is dispatched again after a failure');
    return false;
  }
  const record = toErrorRecord(error);
  if (record.code === 'internal') job.logger.error({ err: error }, 'a document failed with an internal error');
  if (!(await retryOnOutage(job, () => failDocument(deps.db, document, record)))) {
    noteJob(job, { outcome: 'fenced' });
    return false;
  }
  noteJob(job, { outcome: 'failed', errorCode: record.code });
  deps.metrics.document(document.format, 'failed', record.code);
  await sendFailure(deps, job, { document, replyTo, record });
  return true;
}
