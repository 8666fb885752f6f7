import { setTimeout as delay } from 'node:timers/promises';
import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../context.ts';
import { dispatchLane } from './dispatch-lane.ts';

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
