import { ApiError, type Docmill } from '@docmill/client';

export type Batch = Awaited<ReturnType<Docmill['batches']['get']>>;
/** How progress of a batch arrives: as server-sent events, by polling, or not at all. */
export type Connection = 'live' | 'polling' | 'lost';

interface FollowOptions {
  readonly batches: Pick<Docmill['batches'], 'get' | 'events'>;
  readonly id: string;
  readonly signal: AbortSignal;
  readonly onBatch: (batch: Batch) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Between two attempts. */
  readonly pauseMs?: number;
}

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

export const hasEnded = ({ status, finishedAt }: Batch): boolean => finishedAt !== undefined && ended.has(status);

/** How many rows have succeeded, failed or been cancelled. */
export const endedRows = ({ rows, counts }: Batch): number => rows - counts.queued - counts.running;

/**
 * Follows a batch to its end. It reports a lost connection and reconnects indefinitely; each update carries the whole
 * state, so nothing is missed. If a proxy buffers events, it polls instead.
 *
 * @throws ApiError when the service refuses the first request, for example because the batch does not exist
 */
export async function followBatch({
  batches,
  id,
  signal,
  onBatch,
  onConnection,
  pauseMs = 2_000,
}: FollowOptions): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    try {
      const batch = await batches.get(id, { signal, maxRetries: 0 });
      onBatch(batch);
      if (!isFirst) onConnection('polling');
      isFirst = false;
      if (hasEnded(batch)) {
        onConnection('live');
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && isFirst) throw error;
      isFirst = false;
      onConnection('lost');
      await pause(pauseMs, signal);
      continue;
    }
    try {
      for await (const progress of batches.events(id, { signal, maxRetries: 0 })) {
        onConnection('live');
        onBatch({ ...progress, warnings: [] });
        // The last event carries no warnings, so they are requested.
        if (hasEnded({ ...progress, warnings: [] })) break;
      }
      const batch = await batches.get(id, { signal, maxRetries: 0 });
      onBatch(batch);
      if (hasEnded(batch)) return;
    } catch {
      if (signal.aborted) return;
    }
    await pause(pauseMs, signal);
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end);
  });
}
