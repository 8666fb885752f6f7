import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { Backlog, BacklogReader } from '../../shared/queue/backlog.ts';

export interface BacklogLimit {
  readonly depth: number;
  readonly ageMs: number;
}

export interface BacklogGateOptions {
  readonly reader: BacklogReader;
  /** For clients that wait for their document. */
  readonly waiting: BacklogLimit;
  /** For clients that fetch it later. */
  readonly later: BacklogLimit;
}

export interface BacklogGate {
  /**
   * Throws `unavailable` with a retry time when the queue's backlog exceeds the limit for this kind of client. Call it
   * before reserving anything.
   */
  admit(queue: OutputFormat, kind: 'waiting' | 'later'): Promise<void>;
}

interface Snapshot {
  readonly backlog: Backlog;
  readonly atMs: number;
  /** Requests admitted since the snapshot was taken. */
  admitted: number;
}

const refreshAfterMs = 250;
const maxAgeMs = 1_000;
const maxRetryAfterSeconds = 300;
const stalledRetryAfterSeconds = 60;

/**
 * One snapshot of a queue serves all requests for 250 ms; requests admitted since it was taken are added to its depth.
 */
export function createBacklogGate({ reader, ...limits }: BacklogGateOptions): BacklogGate {
  const snapshots = new Map<OutputFormat, Snapshot>();
  const reading = new Map<OutputFormat, Promise<Snapshot | undefined>>();
  // lru-cache cannot do this: a snapshot is served while it is refreshed, but only up to a maximum age.
  const refresh = (queue: OutputFormat): Promise<Snapshot | undefined> => {
    const running = reading.get(queue);
    if (running !== undefined) return running;
    const started = reader
      .read(queue)
      .then((backlog) => {
        const snapshot = { backlog, atMs: performance.now(), admitted: 0 };
        snapshots.set(queue, snapshot);
        return snapshot;
      })
      // An outage of Redis is reported by the steps that need it.
      .catch(() => undefined)
      .finally(() => reading.delete(queue));
    reading.set(queue, started);
    return started;
  };
  return {
    async admit(queue, kind) {
      const last = snapshots.get(queue);
      const ageMs = last === undefined ? Number.POSITIVE_INFINITY : performance.now() - last.atMs;
      const refreshed = ageMs > refreshAfterMs ? refresh(queue) : undefined;
      const snapshot = ageMs > maxAgeMs ? await refreshed : last;
      if (snapshot === undefined) return;
      const { backlog, admitted } = snapshot;
      const depth = backlog.depth + admitted;
      if (depth >= limits[kind].depth || backlog.ageMs > limits[kind].ageMs) throw queueFull(depth, backlog.perSecond);
      snapshot.admitted += 1;
    },
  };
}

function queueFull(depth: number, perSecond: number): AppError {
  const seconds = perSecond > 0 ? Math.ceil(depth / perSecond) : stalledRetryAfterSeconds;
  return new AppError('unavailable', 'The queue is full. Try again later.', {
    retryAfterSeconds: Math.min(Math.max(seconds, 1), maxRetryAfterSeconds),
  });
}
