import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createKeyedLimiter, type Permit } from '../../shared/keyed-limiter.ts';

export interface DocumentLimitOptions {
  /** The maximum number of concurrent requests of one account. */
  readonly maxPerAccount: number;
  /**
   * The maximum number of these with a body larger than 1 MB, so that an account's bodies fit into its share of memory.
   */
  readonly maxLargePerAccount: number;
  /** Mean delay of the event loop since the last call, in milliseconds; undefined if nothing was measured. */
  readonly readDelayMs: () => number | undefined;
}

export interface DocumentLimit {
  /**
   * Acquires a permit to process a request with a body of `bodyBytes`, in order of arrival. Undefined after
   * `maxWaitMs`.
   */
  acquire(accountId: string, bodyBytes: number, maxWaitMs: number): Promise<Permit | undefined>;
  /** The current limit of concurrent requests per account. */
  current(): number;
}

const adjustEveryMs = 100;
/** An account counts as active for this long after its last request. */
const activeMs = 2_000;
/** A longer delay means that the process lacks CPU time. */
const maxDelayMs = 0.6;
const leastPerAccount = 2;
/** The initial limit when a second account becomes active. */
const firstPerAccount = 4;
const growth = 1.25;
const largeBytes = 1024 * 1024;

/**
 * Limits the concurrent requests of each account in this process. The limit adapts like a congestion window: while
 * several accounts are active and the event loop is late, it shrinks, so that the many requests of one account do not
 * slow down each step of another's; otherwise it grows to its maximum.
 */
export function createDocumentLimit(options: DocumentLimitOptions): DocumentLimit {
  const { maxPerAccount, maxLargePerAccount, readDelayMs } = options;
  const lastSeenMs = new Map<string, number>();
  let limit = maxPerAccount;
  let timer: NodeJS.Timeout | undefined;
  const limiter = createKeyedLimiter({ maxPerKey: () => Math.floor(limit) });
  const largeLimiter = createKeyedLimiter({ maxPerKey: maxLargePerAccount });

  const adjust = (): void => {
    const beforeMs = performance.now() - activeMs;
    for (const [accountId, atMs] of lastSeenMs) {
      if (atMs < beforeMs && limiter.inUse(accountId) === 0) lastSeenMs.delete(accountId);
    }
    const delayMs = readDelayMs() ?? 0;
    if (lastSeenMs.size < 2) {
      clearInterval(timer);
      timer = undefined;
      limit = maxPerAccount;
    } else if (delayMs > maxDelayMs) limit = Math.max(leastPerAccount, limit / growth);
    else if (limiter.waiting() > 0) limit = Math.min(maxPerAccount, limit * growth);
    limiter.grant();
  };

  return {
    current: () => Math.floor(limit),
    async acquire(accountId, bodyBytes, maxWaitMs) {
      const endsAt = performance.now() + maxWaitMs;
      lastSeenMs.set(accountId, performance.now());
      if (lastSeenMs.size > 1 && timer === undefined) {
        limit = Math.min(maxPerAccount, firstPerAccount);
        readDelayMs();
        timer = setInterval(adjust, adjustEveryMs);
        timer.unref();
      }
      if (bodyBytes <= largeBytes) return limiter.acquire(accountId, maxWaitMs);
      const large = await largeLimiter.acquire(accountId, maxWaitMs);
      const permit = large && (await limiter.acquire(accountId, Math.max(0, endsAt - performance.now())));
      if (permit === undefined) large?.release();
      return permit && both(permit, large);
    },
  };
}

function both(first: Permit, second: Permit): Permit {
  return {
    release() {
      first.release();
      second.release();
    },
  };
}

const resolutionMs = 5;

/** Starts to measure how late timers of this process are on average. */
export function measureLoopDelay(): () => number | undefined {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return () => {
    const { count, mean } = histogram;
    histogram.reset();
    return count === 0 ? undefined : mean / 1e6 - resolutionMs;
  };
}
