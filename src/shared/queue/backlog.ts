import { bullPrefix } from './contracts.ts';
import { guardedRedis } from './errors.ts';
import type { Queues } from './queues.ts';
import type { Redis } from './redis.ts';

/** The lanes that callers may wait for. */
export type InteractiveQueue = 'docx' | 'pdf';

/** What waits in a lane. */
export interface Backlog {
  readonly depth: number;
  /** How long the one has waited that waits longest, in milliseconds; 0 when none waits. */
  readonly ageMs: number;
  /** Documents that left the lane lately, per second. */
  readonly perSecond: number;
}

export interface BacklogReader {
  read(lane: InteractiveQueue): Promise<Backlog>;
}

export interface ThroughputCounter {
  /** Notes that a document has left its lane. */
  count(lane: InteractiveQueue): void;
}

const spanSeconds = 5;
const spans = 3;

function spanKey(prefix: string, lane: InteractiveQueue, span: number): string {
  return `${bullPrefix(prefix, lane)}:departed:${span}`;
}

const spanOf = (atMs: number): number => Math.floor(atMs / 1_000 / spanSeconds);

const flushMs = 500;

/**
 * Counts throughput in spans of five seconds that forget themselves: an estimate, for nothing but `Retry-After`. What
 * leaves within half a second is written together.
 */
export function createThroughputCounter(redis: Redis, prefix: string): ThroughputCounter {
  const departed = new Map<InteractiveQueue, number>();
  const flush = (): void => {
    for (const [lane, count] of departed) {
      const key = spanKey(prefix, lane, spanOf(Date.now()));
      const expiry = spanSeconds * (spans + 1);
      redis
        .multi()
        .incrby(key, count)
        .expire(key, expiry)
        .exec()
        .catch(() => undefined);
    }
    departed.clear();
  };
  return {
    count(lane) {
      if (departed.size === 0) setTimeout(flush, flushMs).unref();
      departed.set(lane, (departed.get(lane) ?? 0) + 1);
    },
  };
}

export function createBacklogReader(redis: Redis, prefix: string, queues: Queues): BacklogReader {
  return {
    async read(lane) {
      const nowMs = Date.now();
      const keys = Array.from({ length: spans }, (_, index) => spanKey(prefix, lane, spanOf(nowMs) - index));
      const [{ depth, ageMs }, counts] = await Promise.all([
        queues.backlog(lane),
        guardedRedis(() => redis.mget(...keys)),
      ]);
      const seconds = (spans - 1) * spanSeconds + ((nowMs / 1_000) % spanSeconds);
      const departed = counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
      return { depth, ageMs, perSecond: departed / seconds };
    },
  };
}
