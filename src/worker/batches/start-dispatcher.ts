import { setTimeout as delay } from 'node:timers/promises';
import { fillQueue } from '../../shared/domain/batches/dispatch/fill-queue.ts';
import { hasWork } from '../../shared/domain/batches/dispatch/has-work.ts';
import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { endBatches } from './end-batches.ts';
import { handOver } from './enqueue-rows.ts';

const formats: readonly OutputFormat[] = ['docx', 'pdf'];
const restMs = 1_000;

export interface Dispatcher {
  /** Ends after the round under way. */
  stop(): Promise<void>;
}

/** Hands rows of batches to their lanes, round after round, as long as there are any; any number of processes may do so. */
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

async function loop(deps: WorkerDeps, format: OutputFormat, signal: AbortSignal): Promise<void> {
  const logger = deps.logger.child({ dispatcher: format });
  let isBusy = false;
  const round = async (): Promise<boolean> =>
    (await takeRound(deps, format)) ? dispatchLane({ ...deps, logger }, format) : isBusy;
  while (!signal.aborted) {
    isBusy = await round().catch((error: unknown) => {
      logger.warn({ err: error }, 'a round of the dispatcher failed; the next one goes on');
      return false;
    });
    const pauseMs = isBusy ? deps.config.BATCH_ROUND_MS : restMs;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** One round for all processes together in most of the pause between two; exactness does not rest on this. */
async function takeRound({ redis, config }: WorkerDeps, format: OutputFormat): Promise<boolean> {
  const key = `${config.QUEUE_PREFIX}:batch-round:${format}`;
  const lastsMs = Math.ceil(config.BATCH_ROUND_MS * 0.8);
  return (await guardedRedis(() => redis.set(key, '1', 'PX', lastsMs, 'NX'))) === 'OK';
}

/** So much work waits in a lane for each row that is being made: enough that no worker waits for a round. */
const aheadUs = 500_000;
const megabyte = 1024 * 1024;

/**
 * One round for a lane: takes note of rows that have ended, hands out those whose turn it is, ends batches that are
 * through. False when there is nothing to do.
 */
export async function dispatchLane(deps: WorkerDeps, lane: OutputFormat): Promise<boolean> {
  const { config, db } = deps;
  if (!(await hasWork(db, lane))) return false;
  const filling = await fillQueue(db, lane, {
    rows: config.BATCH_WINDOW,
    accountRows: config.BATCH_ACCOUNT_LIMIT,
    bytes: config.BATCH_WINDOW_MB * megabyte,
    aheadUs,
  });
  if (filling === undefined) return true;
  // failpoint: batch-dispatched-before-data
  await handOver(deps, lane, filling.rows);
  for (const id of filling.finished.flatMap(({ unsuccessfulIds }) => unsuccessfulIds)) {
    await deps.transient.remove('data', id).catch(() => undefined);
  }
  await endBatches(
    deps,
    lane,
    filling.finished.map(({ batchId }) => batchId),
  );
  return true;
}
