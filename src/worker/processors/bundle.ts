import type { BatchFile } from '../../shared/db/schema/batches.ts';
import { type ClaimedBundle, claimBundle } from '../../shared/domain/batches/claim-bundle.ts';
import { type BatchEnd, completeBatch, failBundle } from '../../shared/domain/batches/end-batch.ts';
import { AppError, type ErrorRecord, toErrorRecord } from '../../shared/errors.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import { makeFiles } from '../bundles/make-files.ts';
import type { WorkerDeps } from '../deps.ts';
import { type JobRun, noteIds, noteJob } from '../job-run.ts';
import { retryOnOutage } from '../retry-on-outage.ts';

/** About half an hour, including the queue's backoff. */
const maxBundleAttempts = 10;

/** Writes the files of a complete batch and ends it. Each attempt rewrites all files under its own keys. */
export async function processBundle(deps: WorkerDeps, job: JobRun, { batchId }: JobPayload<'bundle'>): Promise<void> {
  const batch = await claimBundle(deps.db, batchId);
  if (batch === undefined) return noteJob(job, { batchId, outcome: 'skipped' });
  const { accountId, templateId, templateVersion, attempts, trace } = batch;
  noteIds(job, trace, { batchId, accountId });
  noteJob(job, { templateId, templateVersion, attempt: attempts });
  // failpoint: bundle-claimed
  const files: BatchFile[] = [];
  try {
    await makeFiles(deps, batch, (file) => files.push(file));
  } catch (error) {
    await discard(deps, job, files);
    if (!isFinal(error, batch)) throw error;
    job.logger.error({ err: error, attempts }, 'bundle failed');
    noteJob(job, { outcome: 'failed', errorCode: toErrorRecord(error).code });
    const failure = { error: toFailure(error), ttlSeconds: deps.config.RESULT_TTL_SECONDS };
    return notify(deps, job, batch, await retryOnOutage(job, () => failBundle(deps.db, batch, failure)));
  }
  // failpoint: bundle-stored-before-complete
  const ttlSeconds = deps.config.RESULT_TTL_SECONDS;
  const end = await retryOnOutage(job, () => completeBatch(deps.db, batch, { files, ttlSeconds }));
  // failpoint: bundle-completed
  if (end.isDone) noteJob(job, { bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) });
  else {
    noteJob(job, { outcome: 'fenced' });
    await discard(deps, job, files);
  }
  await notify(deps, job, batch, end);
}

function isFinal(error: unknown, { attempts }: ClaimedBundle): boolean {
  return attempts >= maxBundleAttempts || (error instanceof AppError && !error.retry);
}

function toFailure(error: unknown): ErrorRecord {
  const { code, message, details } = toErrorRecord(error);
  return {
    code,
    message: `The bundle could not be created. You can download the documents one by one. ${message}`,
    details,
  };
}

async function notify(
  deps: WorkerDeps,
  job: JobRun,
  { id, accountId }: ClaimedBundle,
  { hasSubscribers }: BatchEnd,
): Promise<void> {
  if (!hasSubscribers) return;
  await deps.queues
    .add('webhook', id, { accountId })
    .catch((error: unknown) =>
      job.logger.warn({ err: error }, 'the webhook of a batch was not queued; the sweep will queue it'),
    );
}

async function discard(deps: WorkerDeps, job: JobRun, files: readonly BatchFile[]): Promise<void> {
  const keys = files.map(({ objectKey }) => objectKey);
  await deps.objects
    .remove(keys)
    .catch((error: unknown) =>
      job.logger.warn({ err: error, keys }, 'files of an ended attempt were not removed; the sweep removes them'),
    );
}
