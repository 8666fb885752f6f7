import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { WorkerConfig } from '../shared/config/load-config.ts';
import { readMachineSize } from '../shared/config/machine-size.ts';
import type { QueueName } from '../shared/config/worker-variables.ts';
import type { RecentWork } from '../shared/db/schema/operations.ts';
import { AppError } from '../shared/errors.ts';
import { bullPrefix, isFair, type JobPayload, queueContracts, queueKey } from '../shared/queue/contracts.ts';
import { createQueueTelemetry } from '../shared/queue/queue-telemetry.ts';
import type { Redis } from '../shared/queue/redis.ts';
import { traceFields } from '../shared/request-trace.ts';
import { ownStages } from '../shared/stages.ts';
import { createPriorityGate, type PriorityGate } from './batches/priority-gate.ts';
import type { WorkerDeps } from './deps.ts';
import { createFairWorker, permitsPerAccount, type TicketRun } from './fair-worker.ts';
import type { JobFacts, JobOutcome } from './job-facts.ts';
import { createJobSpan } from './job-span.ts';
import { addSuspect } from './maintenance/suspects.ts';
import type { WorkerMetrics } from './metrics.ts';
import { processBundle } from './processors/bundle.ts';
import { processDocx } from './processors/docx.ts';
import { processInspect } from './processors/inspect.ts';
import { processMail } from './processors/mail.ts';
import { processMaintenance } from './processors/maintenance.ts';
import { processPdf } from './processors/pdf.ts';
import { processPreview } from './processors/preview.ts';
import { processWebhook } from './processors/webhook.ts';
import { createRecentWork, type RecentCounter } from './recent-work.ts';

type Processors = { readonly [Name in QueueName]: Processor<Name> };

function toProcessors({ runInteractive, yieldToInteractive, hasRecentCallers }: PriorityGate): Processors {
  return {
    docx: (deps, payload) => runInteractive(() => processDocx(deps, payload)),
    pdf: (deps, payload) =>
      runInteractive(() => (payload.isPreview === true ? processPreview(deps, payload) : processPdf(deps, payload))),
    'docx-batch': (deps, payload) => processDocx({ ...deps, ...deps.batch, yieldToInteractive }, payload),
    'pdf-batch': (deps, payload) => processPdf({ ...deps, ...deps.batch, yieldToInteractive }, payload),
    inspect: (deps, payload) => runInteractive(() => processInspect(deps, payload)),
    mail: processMail,
    webhook: processWebhook,
    bundle: (deps, payload) => processBundle({ ...deps, yieldToInteractive, hasRecentCallers }, payload),
    maintenance: processMaintenance,
  };
}

export interface RunningWorkers {
  /** True while the worker takes jobs, or is paused by the operator. */
  isRunning(): boolean;
  /** The names of the queues from which jobs are taken, including those of the worker's own engine. */
  served(): readonly string[];
  /** Stops taking jobs and waits for running ones. */
  close(): Promise<void>;
}

export interface CountedWorkers extends RunningWorkers {
  /** Jobs being processed, by queue. */
  jobs(): Readonly<Record<string, number>>;
  /** Work that ended within the last two minutes, by queue. */
  recent(): RecentWork;
  /** The names of its queues, including those of its own engine. */
  readonly queues: readonly string[];
}

/** Processes jobs from the given queues. `connection` must allow commands that block indefinitely. */
export function startWorkers(
  deps: WorkerDeps,
  connection: Redis,
  queueNames: readonly QueueName[],
  gate: PriorityGate = createPriorityGate(readMachineSize().cpus),
): CountedWorkers {
  const processors = toProcessors(gate);
  const { engineVersion } = deps;
  const pinned = queueNames.filter((name) => engineVersion !== undefined && (name === 'pdf' || name === 'pdf-batch'));
  const running = new Map<QueueName, number>(queueNames.map((name) => [name, 0]));
  const count = (name: QueueName, change: 1 | -1): void => void running.set(name, (running.get(name) ?? 0) + change);
  const recent = createRecentWork();
  const counted = {
    ...deps,
    countJob: count,
    countEnd: recent.count,
    metrics: countingDeliveries(deps.metrics, recent),
  };
  const workers = [
    ...queueNames.map((name) => startWorker(name, processors[name], counted, connection)),
    ...pinned.map((name) => startWorker(name, processors[name], counted, connection, engineVersion)),
  ];
  return {
    isRunning: () => workers.every((worker) => worker.isRunning()),
    served: () => workers.filter((worker) => worker.isRunning()).map(({ queue }) => queue),
    jobs: () => Object.fromEntries(running),
    recent: recent.read,
    queues: workers.map(({ queue }) => queue),
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/**
 * Counts deliveries instead of jobs for these queues: a job may make several attempts, or one that is repeated, and
 * each attempt that settles an e-mail or webhook counts.
 */
function countingDeliveries(metrics: WorkerMetrics, recent: RecentCounter): WorkerMetrics {
  return {
    ...metrics,
    delivery(kind, status) {
      metrics.delivery(kind, status);
      if (status !== 'pending') recent.count(kind, status === 'failed');
    },
  };
}

interface QueueWorker {
  readonly queue: string;
  isRunning(): boolean;
  close(): Promise<void>;
}

/** More than one, so that a long sweep does not delay the next. */
const maintenanceJobs = 3;

/** A process that stalls for five of a lock's eight seconds still renews it in time. */
const renewalsPerLock = 8;

function startWorker<Name extends QueueName>(
  name: Name,
  processor: Processor<Name>,
  deps: WorkerDeps & JobCounter,
  connection: Redis,
  engine?: string,
): QueueWorker {
  const { config, pauses } = deps;
  const key = queueKey(name, engine);
  const run = runJob(key, name, processor, deps);
  const fair = isFair(name)
    ? createFairWorker(name, deps, connection, {
        permits: 2 * permitsPerAccount(name, config),
        logger: deps.logger.child({ queue: key }),
        engine,
        async serve({ id, payload, waitedMs }, { attemptsMade }, ticket) {
          if (name !== 'inspect' && attemptsMade === 0) deps.stages.record('pick-up', waitedMs);
          await run({ id, data: payload, attemptsMade }, ticket);
        },
      })
    : undefined;
  const worker = new Worker(key, fair === undefined ? (job) => run(job) : (job, token) => fair.runTicket(job, token), {
    connection,
    prefix: bullPrefix(config.QUEUE_PREFIX, key),
    concurrency: concurrencyOf(name, config),
    lockDuration: config.JOB_LOCK_MS,
    lockRenewTime: config.JOB_LOCK_MS / renewalsPerLock,
    stalledInterval: config.JOB_STALLED_CHECK_MS,
    maxStalledCount: 3,
    // Paused fair queues still take tickets, but no documents.
    autorun: fair !== undefined || pauses?.isQueuePaused(name) !== true,
    ...(deps.tracing !== undefined && fair === undefined && { telemetry: createQueueTelemetry(deps.tracing, key) }),
  });
  fair?.watch(worker);
  if (fair === undefined) pauses?.onChange(() => followPause(worker, pauses.isQueuePaused(name)));
  worker.on('error', (error) => deps.logger.warn({ err: error, queue: key }, 'worker error'));
  return {
    queue: key,
    // A paused worker ends its loop, but still counts as running. A closing one takes nothing, whether paused or not.
    isRunning: () => worker.isRunning() || (pauses?.isQueuePaused(name) === true && worker.closing === undefined),
    async close() {
      // Closing starts first, because unused tickets may return to the queue only once no further one is taken.
      const closed = worker.close();
      fair?.stop();
      await closed;
      await fair?.close();
    },
  };
}

/** Jobs in progress continue. Neither call throws, because BullMQ reports errors as events. */
function followPause(worker: Worker, isPaused: boolean): void {
  if (worker.closing !== undefined) return;
  if (isPaused) void worker.pause(true);
  else void worker.resume();
}

function concurrencyOf(name: QueueName, config: WorkerConfig): number {
  switch (name) {
    case 'docx':
    case 'inspect':
      return 2 * permitsPerAccount(name, config);
    case 'pdf':
      // Documents that are laid out directly release their permits, so more of them may run.
      return 2 * permitsPerAccount(name, config) + directConcurrency(config.DOCX_CONCURRENCY, config);
    case 'docx-batch':
      return config.BATCH_DOCX_CONCURRENCY;
    case 'pdf-batch':
      return Math.max(config.BATCH_OFFICE_SLOTS + 1, directConcurrency(config.BATCH_DOCX_CONCURRENCY, config));
    case 'mail':
      return config.MAIL_CONNECTIONS;
    case 'webhook':
      return config.WEBHOOK_CONCURRENCY;
    case 'bundle':
      return config.BUNDLE_CONCURRENCY;
    case 'maintenance':
      return maintenanceJobs;
  }
}

/** The number of documents laid out directly at a time. It equals that of .docx, because they take about as long. */
const directConcurrency = (documents: number, { DIRECT_PDF }: WorkerConfig): number =>
  DIRECT_PDF === 'off' ? 0 : documents;

type Processor<Name extends QueueName> = (deps: WorkerDeps, payload: JobPayload<Name>) => Promise<void>;

interface JobCounter {
  countJob(name: QueueName, change: 1 | -1): void;
  countEnd(queue: string, hasFailed: boolean): void;
}

type RunnableJob = Pick<Job<unknown>, 'id' | 'data' | 'attemptsMade'>;

/** Wraps every processor: parses the payload, writes one log line per run, and decides whether a failure is retried. */
function runJob<Name extends QueueName>(
  key: string,
  name: Name,
  processor: Processor<Name>,
  deps: WorkerDeps & JobCounter,
) {
  return async (job: RunnableJob, ticket?: TicketRun): Promise<void> => {
    const startedAt = performance.now();
    deps.countJob(name, 1);
    const logger = deps.logger.child({ queue: name, jobId: job.id });
    const stages = ownStages(deps.stages);
    const facts: JobFacts = {};
    const span = deps.tracing && createJobSpan(deps.tracing, name, job.id);
    const write = (level: 'info' | 'warn', outcome: JobOutcome, error?: unknown): void => {
      const durationMs = performance.now() - startedAt;
      const line = {
        outcome,
        ...facts,
        durationMs: Math.round(durationMs * 10) / 10,
        stages: stages.times(),
        err: error,
      };
      logger[level](line, 'job');
      const end = facts.outcome ?? outcome;
      span?.end(stages, { ...facts, outcome: end });
      if (name !== 'mail' && name !== 'webhook' && (end === 'succeeded' || end === 'failed'))
        deps.countEnd(key, end === 'failed');
    };
    try {
      const payload = queueContracts[name].payload.parse(job.data) as JobPayload<Name>;
      if ('trace' in payload) Object.assign(facts, traceFields(payload.trace));
      const run = () => processor({ ...deps, logger, stages, facts, span, ...ticket }, payload);
      await (span === undefined ? run() : deps.tracing?.run(span.active, run));
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
      deps.countJob(name, -1);
    }
  };
}

function classify(error: unknown): Error {
  const isRetried = !(error instanceof AppError) || error.retry;
  const name = error instanceof AppError ? error.code : 'internal';
  return isRetried ? new Error(name, { cause: error }) : new UnrecoverableError(name);
}
