import { setTimeout as delay } from 'node:timers/promises';
import { type BatchQueue, engineOf, jobQueueOf } from '../../shared/domain/batches/dispatch/batch-queue.ts';
import { fillQueue, type QueueFill } from '../../shared/domain/batches/dispatch/fill-queue.ts';
import { findQueuesInFlight, hasWork } from '../../shared/domain/batches/dispatch/queue-state.ts';
import type { OutputFormat } from '../../shared/domain/documents/document-record.ts';
import { createEngineRegistry } from '../../shared/queue/engine-registry.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { followEnds } from './end-batches.ts';
import { enqueueRows } from './enqueue-rows.ts';

const formats: readonly OutputFormat[] = ['docx', 'pdf', 'xml'];
const idlePauseMs = 1_000;
/** The work to queue ahead per row in progress, in microseconds, so that workers never wait for the next round. */
const aheadUs = 500_000;
const megabyte = 1024 * 1024;

export interface Dispatcher {
  /** Settles after the current round. */
  stop(): Promise<void>;
}

/** The idle intervals of dispatcher rounds in milliseconds, by the name of their repeated task. */
export const dispatchIntervals: Readonly<Record<string, number>> = Object.fromEntries(
  formats.map((format) => [taskOf(format), idlePauseMs]),
);

/** Moves batch rows to their queues in rounds. Any number of processes may run it. */
export function startDispatcher(deps: WorkerDeps): Dispatcher | undefined {
  if (!deps.config.WORKER_QUEUES.includes('maintenance')) return undefined;
  const stopping = new AbortController();
  const loops = formats.map((format) => loop(deps, format, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

function taskOf(format: OutputFormat): string {
  return `dispatch-${format}`;
}

async function loop(deps: WorkerDeps, format: OutputFormat, signal: AbortSignal): Promise<void> {
  const logger = deps.logger.child({ dispatcher: format });
  let isBusy = false;
  const round = async (): Promise<boolean> => {
    if (!(await claimRound(deps, format))) return isBusy;
    const hasMore = await dispatchFormat({ ...deps, logger }, format);
    deps.metrics.taskDone(taskOf(format));
    return hasMore;
  };
  while (!signal.aborted) {
    isBusy = await round().catch((error: unknown) => {
      logger.warn({ err: error }, 'a dispatcher round failed; the next one continues');
      return false;
    });
    const pauseMs = isBusy ? deps.config.BATCH_ROUND_MS : idlePauseMs;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Elects one process for the round. An optimization only: concurrent rounds are safe. */
async function claimRound({ redis, config }: WorkerDeps, format: OutputFormat): Promise<boolean> {
  const key = `${config.QUEUE_PREFIX}:batch-round:${format}`;
  const ttlMs = Math.ceil(config.BATCH_ROUND_MS * 0.8);
  return (await guardedRedis(() => redis.set(key, '1', 'PX', ttlMs, 'NX'))) === 'OK';
}

async function followRound(deps: WorkerDeps, { finished, ends }: QueueFill): Promise<void> {
  for (const id of finished.flatMap(({ unsuccessfulIds }) => unsuccessfulIds)) {
    await deps.transient.remove('data', id).catch(() => undefined);
  }
  await followEnds(deps, ends);
}

/** Fills the common queue, and for PDFs also the queues of engines that have workers or rows in flight. */
export async function dispatchFormat(deps: WorkerDeps, format: OutputFormat): Promise<boolean> {
  let isBusy = await dispatchQueue(deps, format);
  if (format !== 'pdf' || !isBusy) return isBusy;
  const served = await createEngineRegistry(deps.redis, deps.config.QUEUE_PREFIX, 'pdf-batch').read();
  const own = [...served].map((engine) => `pdf@${engine}` as const);
  const inFlight = (await findQueuesInFlight(deps.db)).filter((queue) => engineOf(queue) !== null);
  for (const queue of new Set<BatchQueue>([...own, ...inFlight])) {
    if (await dispatchQueue(deps, queue, served.has(engineOf(queue) ?? ''))) isBusy = true;
  }
  return isBusy;
}

/** Runs one round: collects finished rows, enqueues the next ones, ends complete batches. Returns false when idle. */
export async function dispatchQueue(deps: WorkerDeps, queue: BatchQueue, isServed = true): Promise<boolean> {
  const { config, db } = deps;
  if (!(await hasWork(db, queue))) return false;
  const isPaused = deps.pauses?.isQueuePaused(jobQueueOf(queue)) === true;
  const filling = await fillQueue(db, queue, {
    rows: config.BATCH_WINDOW,
    accountRows: config.BATCH_ACCOUNT_LIMIT,
    bytes: config.BATCH_WINDOW_MB * megabyte,
    aheadUs,
    ttlSeconds: config.RESULT_TTL_SECONDS,
    isServed: isServed && !isPaused,
  });
  if (filling === undefined) return true;
  // failpoint: batch-dispatched-before-data
  // Each finishes even if the other fails: finished rows must not wait because others cannot be enqueued.
  const outcomes = await Promise.allSettled([enqueueRows(deps, queue, filling.rows), followRound(deps, filling)]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return true;
}
