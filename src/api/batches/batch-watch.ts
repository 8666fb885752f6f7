import { LRUCache } from 'lru-cache';
import type { Database } from '../../shared/db/client.ts';
import type { BatchRecord } from '../../shared/domain/batches/batch-record.ts';
import { findBatches } from '../../shared/domain/batches/find-batch.ts';
import { readPace } from '../../shared/domain/batches/read-pace.ts';
import { type BatchProgress, readProgress } from '../../shared/domain/batches/read-progress.ts';
import { type BatchWarning, readWarnings } from '../../shared/domain/batches/read-warnings.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

export interface BatchState {
  readonly batch: BatchRecord;
  readonly progress: BatchProgress;
  /** Rows a second. */
  readonly pace: number | undefined;
}

/** Undefined when no more states come, because the process is leaving. */
export type BatchListener = (state: BatchState | undefined) => void;

/** Looks at batches for all who ask: counting a hundred thousand rows once a second is enough, however many listen. */
export interface BatchWatch {
  /** The state of a batch, at most a second old unless `isFresh`. */
  look(batch: BatchRecord, isFresh?: boolean): Promise<BatchState>;
  warnings(batch: BatchRecord): Promise<readonly BatchWarning[]>;
  /** Calls the listener with each look; throws `unavailable` when too many listen. */
  listen(batch: Pick<BatchRecord, 'id' | 'accountId'>, listener: BatchListener): () => void;
  /** Lets all listeners go. */
  close(): void;
}

export interface BatchWatchOptions {
  readonly db: Database;
  readonly logger: Logger;
  readonly everyMs: number;
  readonly maxListeners: number;
  readonly maxListenersPerAccount: number;
}

const batchesAtOnce = 10;

export function createBatchWatch(options: BatchWatchOptions): BatchWatch {
  const { db, everyMs } = options;
  const states = new LRUCache<string, Promise<BatchState>>({ max: 1_000, ttl: everyMs });
  const warnings = new LRUCache<string, Promise<readonly BatchWarning[]>>({ max: 1_000, ttl: 5_000 });
  const read = <T>(cache: LRUCache<string, Promise<T>>, id: string, readNow: () => Promise<T>): Promise<T> => {
    const reading = readNow();
    cache.set(id, reading);
    reading.catch(() => cache.delete(id));
    return reading;
  };
  return {
    look(batch, isFresh = false) {
      const stand = standOf(batch);
      // What a client was told of its own change, it is not told otherwise by what was remembered before.
      return (isFresh ? undefined : states.get(stand)) ?? read(states, stand, () => readState(db, batch));
    },
    warnings(batch) {
      const stand = standOf(batch);
      return warnings.get(stand) ?? read(warnings, stand, () => readWarnings(db, batch.id));
    },
    ...createAudience(options),
  };
}

/** Changes when a batch begins or ends, also the second time after a retry: what is said of a run is never of the one before. */
const standOf = ({ id, status, startedAt, finishedAt }: BatchRecord): string =>
  `${id} ${status} ${startedAt?.getTime()} ${finishedAt?.getTime()}`;

function createAudience(options: BatchWatchOptions): Pick<BatchWatch, 'listen' | 'close'> {
  const audience = new Map<BatchListener, Pick<BatchRecord, 'id' | 'accountId'>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const tick = async (): Promise<void> => {
    const ids = [...new Set([...audience.values()].map(({ id }) => id))];
    for (let from = 0; from < ids.length; from += batchesAtOnce) {
      const states = await readStates(options.db, ids.slice(from, from + batchesAtOnce));
      for (const [listener, { id }] of audience) {
        const state = states.get(id);
        if (state !== undefined) listener(state);
      }
    }
  };
  const plan = (): void => {
    if (timer !== undefined || audience.size === 0 || isClosed) return;
    timer = setTimeout(() => {
      tick()
        .catch((error: unknown) => options.logger.warn({ err: error }, 'looking at batches failed'))
        .finally(() => {
          timer = undefined;
          plan();
        });
    }, options.everyMs);
  };
  return {
    listen(batch, listener) {
      const own = [...audience.values()].filter(({ accountId }) => accountId === batch.accountId).length;
      if (isClosed || audience.size >= options.maxListeners || own >= options.maxListenersPerAccount) {
        throw new AppError('unavailable', 'Too many listen to batches. Try again shortly.', { retryAfterSeconds: 5 });
      }
      audience.set(listener, { id: batch.id, accountId: batch.accountId });
      plan();
      return () => void audience.delete(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const listener of [...audience.keys()]) listener(undefined);
      audience.clear();
    },
  };
}

async function readState(db: Database, batch: BatchRecord): Promise<BatchState> {
  const ids = [batch.id];
  const [progress, pace] = [await readProgress(db, ids), await readPace(db, ids)];
  return toState(batch, progress, pace);
}

async function readStates(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, BatchState>> {
  const batches = await findBatches(db, ids);
  const [progress, pace] = [await readProgress(db, ids), await readPace(db, ids)];
  return new Map(batches.map((batch) => [batch.id, toState(batch, progress, pace)]));
}

const nothing: BatchProgress = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };

function toState(
  batch: BatchRecord,
  progress: ReadonlyMap<string, BatchProgress>,
  pace: ReadonlyMap<string, number>,
): BatchState {
  return { batch, progress: progress.get(batch.id) ?? nothing, pace: pace.get(batch.id) };
}
