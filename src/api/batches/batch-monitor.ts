import { LRUCache } from 'lru-cache';
import type { Database } from '../../shared/db/client.ts';
import type { BatchRecord } from '../../shared/domain/batches/find-batches.ts';
import { findBatches } from '../../shared/domain/batches/find-batches.ts';
import {
  type BatchProgress,
  type BatchWarning,
  readProgress,
  readRates,
  readWarnings,
} from '../../shared/domain/batches/read-progress.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { AccountLimit } from '../http/account-limit.ts';

export interface BatchState {
  readonly batch: BatchRecord;
  readonly progress: BatchProgress;
  readonly rowsPerSecond: number | undefined;
}

/** Called with `undefined` when the process shuts down and no more states follow. */
export type BatchListener = (state: BatchState | undefined) => void;

/** Reads the state of batches for all clients: one query per second serves any number of listeners. */
export interface BatchMonitor {
  /** The state of a batch: at most a second old, or current with `isFresh`. */
  read(batch: BatchRecord, isFresh?: boolean): Promise<BatchState>;
  /** The most frequent warnings of a batch, at most five seconds old. */
  warnings(batch: BatchRecord): Promise<readonly BatchWarning[]>;
  /**
   * Calls the listener after each poll until the returned function is called. Throws `unavailable` at the listener
   * limit.
   */
  subscribe(batch: Pick<BatchRecord, 'id' | 'accountId'>, listener: BatchListener): () => void;
  /** Ends all subscriptions. */
  close(): void;
}

export interface BatchMonitorOptions {
  readonly db: Database;
  readonly logger: Logger;
  readonly pollEveryMs: number;
  readonly listeners: AccountLimit;
}

const batchesPerQuery = 10;

export function createBatchMonitor(options: BatchMonitorOptions): BatchMonitor {
  const { db, pollEveryMs } = options;
  // A reader whose fetch is replaced or evicted still gets its result.
  const shared = { max: 1_000, ignoreFetchAbort: true };
  const states = new LRUCache<string, BatchState, BatchRecord>({
    ...shared,
    ttl: pollEveryMs,
    fetchMethod: (_run, _stale, { context }) => readState(db, context),
  });
  const warnings = new LRUCache<string, readonly BatchWarning[], BatchRecord>({
    ...shared,
    ttl: 5_000,
    fetchMethod: (_run, _stale, { context }) => readWarnings(db, context.id),
  });
  return {
    async read(batch, isFresh = false) {
      const key = runKey(batch);
      if (!isFresh) return states.forceFetch(key, { context: batch });
      // `forceRefresh` would join a fetch that began before the client's own change.
      const state = await readState(db, batch);
      states.set(key, state);
      return state;
    },
    warnings: (batch) => warnings.forceFetch(runKey(batch), { context: batch }),
    ...createSubscriptions(options),
  };
}

/** A cache key that changes with each run, so that a retry never shows the state of the previous run. */
const runKey = ({ id, status, startedAt, finishedAt }: BatchRecord): string =>
  `${id} ${status} ${startedAt?.getTime()} ${finishedAt?.getTime()}`;

function createSubscriptions(options: BatchMonitorOptions): Pick<BatchMonitor, 'subscribe' | 'close'> {
  const { db, logger, pollEveryMs, listeners } = options;
  const batchIds = new Map<BatchListener, string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const poll = async (): Promise<void> => {
    const ids = [...new Set(batchIds.values())];
    for (let from = 0; from < ids.length; from += batchesPerQuery) {
      const states = await readStates(db, ids.slice(from, from + batchesPerQuery));
      for (const [listener, id] of batchIds) {
        const state = states.get(id);
        if (state !== undefined) listener(state);
      }
    }
  };
  const schedulePoll = (): void => {
    if (timer !== undefined || batchIds.size === 0 || isClosed) return;
    timer = setTimeout(() => {
      poll()
        .catch((error: unknown) => logger.warn({ err: error }, 'polling the state of batches failed'))
        .finally(() => {
          timer = undefined;
          schedulePoll();
        });
    }, pollEveryMs);
  };
  return {
    subscribe({ id, accountId }, listener) {
      if (isClosed)
        throw new AppError('unavailable', 'The service is restarting. Try again shortly.', {
          retryAfterSeconds: 5,
        });
      const permit = listeners.acquire(accountId);
      batchIds.set(listener, id);
      schedulePoll();
      return () => {
        batchIds.delete(listener);
        permit.release();
      };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const listener of [...batchIds.keys()]) listener(undefined);
      batchIds.clear();
    },
  };
}

async function readState(db: Database, batch: BatchRecord): Promise<BatchState> {
  const ids = [batch.id];
  const [progress, rates] = [await readProgress(db, ids), await readRates(db, ids)];
  return toState(batch, progress, rates);
}

async function readStates(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, BatchState>> {
  const batches = await findBatches(db, ids);
  const [progress, rates] = [await readProgress(db, ids), await readRates(db, ids)];
  return new Map(batches.map((batch) => [batch.id, toState(batch, progress, rates)]));
}

const noRows: BatchProgress = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };

function toState(
  batch: BatchRecord,
  progress: ReadonlyMap<string, BatchProgress>,
  rates: ReadonlyMap<string, number>,
): BatchState {
  return { batch, progress: progress.get(batch.id) ?? noRows, rowsPerSecond: rates.get(batch.id) };
}
