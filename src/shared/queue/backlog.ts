import { bullPrefix, type PinnedEngine } from './contracts.ts';
import { guardedRedis } from './errors.ts';
import type { Queues } from './queues.ts';
import type { Redis } from './redis.ts';

/** The document queues whose requests may wait for the result. */
export type InteractiveQueue = 'docx' | 'pdf';

/** The waiting jobs of a queue, as one account sees them. */
export interface Backlog {
  readonly depth: number;
  /** The account's waiting jobs, and the age of the oldest in milliseconds; 0 if none waits. */
  readonly ownDepth: number;
  readonly ownAgeMs: number;
  /** The number of accounts that have waiting jobs. */
  readonly accounts: number;
  /** Documents per second that workers recently took from the queue. */
  readonly perSecond: number;
}

export interface BacklogReader {
  read(queue: InteractiveQueue, accountId: string, engine?: PinnedEngine): Promise<Backlog>;
}

export interface ThroughputCounter {
  /** Counts one document that a worker took from its queue. */
  count(queue: InteractiveQueue): void;
}

const spanSeconds = 5;
const spans = 3;

function spanKey(prefix: string, queue: InteractiveQueue, span: number): string {
  return `${bullPrefix(prefix, queue)}:throughput:${span}`;
}

const spanOf = (atMs: number): number => Math.floor(atMs / 1_000 / spanSeconds);

const flushMs = 500;

/**
 * Counts throughput in expiring windows of five seconds. The estimate is only used for `Retry-After`, so counts are
 * written only every half second.
 */
export function createThroughputCounter(redis: Redis, prefix: string): ThroughputCounter {
  const counted = new Map<InteractiveQueue, number>();
  const flush = (): void => {
    for (const [queue, count] of counted) {
      const key = spanKey(prefix, queue, spanOf(Date.now()));
      const expiry = spanSeconds * (spans + 1);
      redis
        .multi()
        .incrby(key, count)
        .expire(key, expiry)
        .exec()
        .catch(() => undefined);
    }
    counted.clear();
  };
  return {
    count(queue) {
      if (counted.size === 0) setTimeout(flush, flushMs).unref();
      counted.set(queue, (counted.get(queue) ?? 0) + 1);
    },
  };
}

export function createBacklogReader(redis: Redis, prefix: string, queues: Queues): BacklogReader {
  return {
    async read(queue, accountId, engine) {
      const nowMs = Date.now();
      const keys = Array.from({ length: spans }, (_, index) => spanKey(prefix, queue, spanOf(nowMs) - index));
      const [{ depth, ownDepth, ownAgeMs, accounts }, counts] = await Promise.all([
        queues.fair(queue, engine).backlog(accountId),
        guardedRedis(() => redis.mget(...keys)),
      ]);
      const seconds = (spans - 1) * spanSeconds + ((nowMs / 1_000) % spanSeconds);
      const counted = counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
      return { depth, ownDepth, ownAgeMs, accounts, perSecond: counted / seconds };
    },
  };
}
