import { type Job, UnrecoverableError } from 'bullmq';
import type { QueueName } from '../shared/config/worker-variables.ts';
import { AppError } from '../shared/errors.ts';
import type { Logger } from '../shared/logger.ts';
import { type JobPayload, queueContracts } from '../shared/queue/contracts.ts';
import type { WorkerDeps } from './context.ts';

export type Processor<Name extends QueueName> = (deps: WorkerDeps, payload: JobPayload<Name>) => Promise<void>;

/** Wraps every processor: parses the payload at the door, writes one line about the job, and says what may be retried. */
export function runJob<Name extends QueueName>(name: Name, processor: Processor<Name>, deps: WorkerDeps) {
  return async (job: Job<unknown>): Promise<void> => {
    const startedAt = performance.now();
    if ((name === 'docx' || name === 'pdf') && job.attemptsMade === 0)
      deps.stages.note('pick-up', Date.now() - job.timestamp);
    const logger = deps.logger.child({ queue: name, jobId: job.id });
    try {
      const payload = queueContracts[name].payload.parse(job.data) as JobPayload<Name>;
      await processor({ ...deps, logger }, payload);
      const durationMs = performance.now() - startedAt;
      deps.metrics.job(name, 'done', durationMs);
      logger.info({ durationMs: Math.round(durationMs) }, 'job done');
    } catch (error) {
      const durationMs = performance.now() - startedAt;
      const failure = classify(error, logger, job, durationMs);
      deps.metrics.job(name, failure instanceof UnrecoverableError ? 'failed' : 'retried', durationMs);
      throw failure;
    }
  };
}

function classify(error: unknown, logger: Logger, job: Job<unknown>, durationMs: number): Error {
  const isRetried = !(error instanceof AppError) || error.retry;
  const attempt = job.attemptsMade + 1;
  logger.warn({ err: error, attempt, isRetried, durationMs: Math.round(durationMs) }, 'job failed');
  const name = error instanceof AppError ? error.code : 'internal';
  return isRetried ? new Error(name, { cause: error }) : new UnrecoverableError(name);
}
