import { bullPrefix } from './contracts.ts';
import { guardedRedis } from './errors.ts';
import type { Queues } from './queues.ts';
import type { Redis } from './redis.ts';

/** The lanes that callers may wait for. */
export type CallerLane = 'docx' | 'pdf';

/** What waits in a lane. */
export interface Backlog {
  readonly depth: number;
  /** How long the one has waited that waits longest, in milliseconds; 0 when none waits. */
  readonly ageMs: number;
  /** Documents that left the lane lately, per second. */
  readonly perSecond: number;
}

export interface BacklogReader {
  read(lane: CallerLane): Promise<Backlog>;
}

export interface DepartureCounter {
  /** Notes that a document has left its lane. */
  count(lane: CallerLane): void;
}

const spanSeconds = 5;
const spans = 3;

function spanKey(prefix: string, lane: CallerLane, span: number): string {
  return `${bullPrefix(prefix, lane)}:departed:${span}`;
}

const spanOf = (atMs: number): number => Math.floor(atMs / 1_000 / spanSeconds);

/** Counts departures in spans of five seconds that forget themselves: an estimate, for nothing but `Retry-After`. */
export function createDepartureCounter(redis: Redis, prefix: string): DepartureCounter {
  return {
    count(lane) {
      const key = spanKey(prefix, lane, spanOf(Date.now()));
      redis
        .multi()
        .incr(key)
        .expire(key, spanSeconds * (spans + 1))
        .exec()
        .catch(() => undefined);
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
