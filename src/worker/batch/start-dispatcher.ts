import { setTimeout as delay } from 'node:timers/promises';
import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
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
  if (!deps.config.WORKER_LANES.includes('maintenance')) return undefined;
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
  while (!signal.aborted) {
    const isBusy = await dispatchLane({ ...deps, logger }, format).catch((error: unknown) => {
      logger.warn({ err: error }, 'a round of the dispatcher failed; the next one goes on');
      return false;
    });
    const pauseMs = isBusy ? deps.config.BATCH_ROUND_MS : restMs;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
