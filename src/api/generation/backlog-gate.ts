import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { Backlog, BacklogReader } from '../../shared/queue/backlog.ts';

export interface BacklogLimit {
  readonly depth: number;
  readonly ageMs: number;
}

export interface BacklogGateOptions {
  readonly reader: BacklogReader;
  /** For callers that wait for their document. */
  readonly waiting: BacklogLimit;
  /** For callers that fetch it later. */
  readonly later: BacklogLimit;
}

export interface BacklogGate {
  /**
   * Throws `unavailable`, with the time to wait, when the lane has more waiting than a caller of this kind may add to.
   * Comes before anything is reserved.
   */
  enter(lane: OutputFormat, kind: 'waiting' | 'later'): Promise<void>;
}

interface Look {
  readonly backlog: Backlog;
  readonly atMs: number;
  /** Let through since. */
  entered: number;
}

const freshMs = 250;
const usableMs = 1_000;
const longestWaitSeconds = 300;
const stalledWaitSeconds = 60;

/** One look at a lane serves all requests of a quarter of a second; those let through since then are added to it. */
export function createBacklogGate({ reader, ...limits }: BacklogGateOptions): BacklogGate {
  const looks = new Map<OutputFormat, Look>();
  const looking = new Map<OutputFormat, Promise<Look | undefined>>();
  const look = (lane: OutputFormat): Promise<Look | undefined> => {
    const running = looking.get(lane);
    if (running !== undefined) return running;
    const started = reader
      .read(lane)
      .then((backlog) => {
        const fresh = { backlog, atMs: performance.now(), entered: 0 };
        looks.set(lane, fresh);
        return fresh;
      })
      // A Redis that is away is told by the steps that need it.
      .catch(() => undefined)
      .finally(() => looking.delete(lane));
    looking.set(lane, started);
    return started;
  };
  return {
    async enter(lane, kind) {
      const last = looks.get(lane);
      const ageMs = last === undefined ? Number.POSITIVE_INFINITY : performance.now() - last.atMs;
      const refreshed = ageMs > freshMs ? look(lane) : undefined;
      const current = ageMs > usableMs ? await refreshed : last;
      if (current === undefined) return;
      const { backlog, entered } = current;
      const depth = backlog.depth + entered;
      if (depth >= limits[kind].depth || backlog.ageMs > limits[kind].ageMs) throw tooMuch(depth, backlog.perSecond);
      current.entered += 1;
    },
  };
}

function tooMuch(depth: number, perSecond: number): AppError {
  const seconds = perSecond > 0 ? Math.ceil(depth / perSecond) : stalledWaitSeconds;
  return new AppError('unavailable', 'Too many documents wait to be made. Try again later.', {
    retryAfterSeconds: Math.min(Math.max(seconds, 1), longestWaitSeconds),
  });
}
