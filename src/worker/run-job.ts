import { type Job, UnrecoverableError } from 'bullmq';
import type { QueueName } from '../shared/config/worker-variables.ts';
import { AppError } from '../shared/errors.ts';
import { isFair, type JobPayload, queueContracts } from '../shared/queue/contracts.ts';
import { traceFields } from '../shared/request-trace.ts';
import type { PriorityGate } from './batches/priority-gate.ts';
import type { WorkerDeps } from './deps.ts';
import type { TicketRun } from './fair-worker.ts';
import type { JobOutcome } from './job-facts.ts';
import { type JobRun, noteJob, startRun } from './job-run.ts';
import { createJobSpan } from './job-span.ts';
import { addSuspect } from './maintenance/suspects.ts';
import { processBundle } from './processors/bundle.ts';
import { processDocument } from './processors/document.ts';
import { processInspect } from './processors/inspect.ts';
import { processMail } from './processors/mail.ts';
import { processMaintenance } from './processors/maintenance.ts';
import { processPreview } from './processors/preview.ts';
import { processWebhook } from './processors/webhook.ts';

/** A queue from which this worker takes jobs. */
export interface ServedQueue<Name extends QueueName = QueueName> {
  readonly name: Name;
  /** Its name in Redis; differs for the queue of an engine. */
  readonly key: string;
  readonly deps: WorkerDeps;
  readonly gate: PriorityGate;
  readonly counter: JobCounter;
}

export interface JobCounter {
  countJob(name: QueueName, change: 1 | -1): void;
  countEnd(queue: string, hasFailed: boolean): void;
}

type Processors = {
  readonly [Name in QueueName]: (deps: WorkerDeps, job: JobRun, payload: JobPayload<Name>) => Promise<void>;
};

const processors: Processors = {
  docx: processDocument,
  pdf: (deps, job, payload) =>
    payload.isPreview === true ? processPreview(deps, job, payload) : processDocument(deps, job, payload),
  'docx-batch': processDocument,
  'pdf-batch': processDocument,
  inspect: processInspect,
  mail: processMail,
  webhook: processWebhook,
  bundle: processBundle,
  maintenance: processMaintenance,
};

type RunnableJob = Pick<Job<unknown>, 'id' | 'data' | 'attemptsMade'>;

/** Runs a job of any queue. Writes one line to the log, and decides whether a failure is retried. */
export async function runJob(queue: ServedQueue, job: RunnableJob, ticket?: TicketRun): Promise<void> {
  const { name, key, deps, counter } = queue;
  const startedAt = performance.now();
  counter.countJob(name, 1);
  const span = deps.tracing && createJobSpan(deps.tracing, name, job.id);
  const { logger, stages } = deps;
  const ids = { queue: name, jobId: job.id };
  const run = startRun({ logger, stages, ids, span, ticket });
  const { facts } = run;
  const write = (level: 'info' | 'warn', outcome: JobOutcome, error?: unknown): void => {
    if (logger.isLevelEnabled(level)) {
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      logger[level]({ ...ids, outcome, ...facts, durationMs, stages: run.stages.times(), err: error }, 'job');
    }
    const end = facts.outcome ?? outcome;
    span?.end(run.stages, { ...facts, outcome: end });
    if (name !== 'mail' && name !== 'webhook' && (end === 'succeeded' || end === 'failed'))
      counter.countEnd(key, end === 'failed');
  };
  try {
    const work = toWork(queue, run, job.data);
    await (span === undefined ? work() : deps.tracing?.run(span.active, work));
    deps.metrics.job(name, 'done', performance.now() - startedAt);
    write('info', 'succeeded');
  } catch (error) {
    const failure = classify(error);
    const outcome = failure instanceof UnrecoverableError ? 'failed' : 'retried';
    deps.metrics.job(name, outcome, performance.now() - startedAt);
    Object.assign(facts, { attempt: facts.attempt ?? job.attemptsMade + 1, outcome, errorCode: failure.message });
    write('warn', outcome, error);
    // Redis may be down; the sweep then reaches the document later.
    if ((name === 'docx' || name === 'pdf') && job.id !== undefined)
      await addSuspect(deps, name, job.id).catch(() => undefined);
    throw failure;
  } finally {
    counter.countJob(name, -1);
  }
}

/** Callers wait for the work of fair queues, so it goes before that of batches. */
function toWork<Name extends QueueName>(
  { name, deps, gate }: ServedQueue<Name>,
  run: JobRun,
  data: unknown,
): () => Promise<void> {
  const payload = queueContracts[name].payload.parse(data) as JobPayload<Name>;
  if ('trace' in payload) noteJob(run, traceFields(payload.trace));
  const work = (): Promise<void> => processors[name](deps, run, payload);
  return isFair(name) ? () => gate.runInteractive(work) : work;
}

function classify(error: unknown): Error {
  const isRetried = !(error instanceof AppError) || error.retry;
  const name = error instanceof AppError ? error.code : 'internal';
  return isRetried ? new Error(name, { cause: error }) : new UnrecoverableError(name);
}
