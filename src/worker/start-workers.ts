import { type Job, Worker } from 'bullmq';
import type { WorkerConfig } from '../shared/config/load-config.ts';
import { readMachineSize } from '../shared/config/machine-size.ts';
import type { QueueName } from '../shared/config/worker-variables.ts';
import type { RecentWork } from '../shared/db/schema/operations.ts';
import { bullPrefix, isFair, queueKey } from '../shared/queue/contracts.ts';
import { createQueueTelemetry } from '../shared/queue/queue-telemetry.ts';
import type { Redis } from '../shared/queue/redis.ts';
import { createPriorityGate, type PriorityGate } from './batches/priority-gate.ts';
import type { WorkerDeps } from './deps.ts';
import { createFairWorker, permitsPerAccount } from './fair-worker.ts';
import type { WorkerMetrics } from './metrics.ts';
import { createRecentWork, type RecentCounter } from './recent-work.ts';
import { runJob, type ServedQueue } from './run-job.ts';

/** Batch work has engines of its own, and lets interactive requests go first. */
function depsOf(name: QueueName, deps: WorkerDeps, { yieldToInteractive, hasRecentCallers }: PriorityGate): WorkerDeps {
  switch (name) {
    case 'docx-batch':
    case 'pdf-batch':
      return { ...deps, ...deps.batch, yieldToInteractive };
    case 'bundle':
      return { ...deps, yieldToInteractive, hasRecentCallers };
    default:
      return deps;
  }
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
  const { engineVersion } = deps;
  const pinned = queueNames.filter((name) => engineVersion !== undefined && (name === 'pdf' || name === 'pdf-batch'));
  const running = new Map<QueueName, number>(queueNames.map((name) => [name, 0]));
  const count = (name: QueueName, change: 1 | -1): void => void running.set(name, (running.get(name) ?? 0) + change);
  const recent = createRecentWork();
  const counted = { ...deps, metrics: countingDeliveries(deps.metrics, recent) };
  const start = (name: QueueName, engine?: string): QueueWorker => {
    const key = queueKey(name, engine);
    const counter = { countJob: count, countEnd: recent.count };
    return startWorker({ name, key, deps: depsOf(name, counted, gate), gate, counter }, connection, engine);
  };
  const workers = [...queueNames.map((name) => start(name)), ...pinned.map((name) => start(name, engineVersion))];
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

function startWorker(queue: ServedQueue, connection: Redis, engine?: string): QueueWorker {
  const { name, key, deps } = queue;
  const { config, pauses } = deps;
  const fair = isFair(name)
    ? createFairWorker(name, deps, connection, {
        permits: 2 * permitsPerAccount(name, config),
        logger: deps.logger.child({ queue: key }),
        engine,
        async serve({ id, payload, waitedMs }, { attemptsMade }, ticket) {
          if (name !== 'inspect' && attemptsMade === 0) deps.stages.record('pick-up', waitedMs);
          await runJob(queue, { id, data: payload, attemptsMade }, ticket);
        },
      })
    : undefined;
  const process = (job: Job, token?: string): Promise<void> =>
    fair === undefined ? runJob(queue, job) : fair.runTicket(job, token);
  const worker = new Worker(key, process, {
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
