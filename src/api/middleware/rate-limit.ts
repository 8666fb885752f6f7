import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../shared/errors.ts';
import type { Redis } from '../../shared/queue/redis.ts';
import type { ApiEnv } from '../http/api-env.ts';

export interface RateLimiterOptions {
  /** Requests that an account may send in a window; 0 disables the limit. */
  readonly requests: number;
  readonly windowSeconds: number;
  readonly prefix: string;
}

/**
 * Counts one request of the account. Resolves with the state of the window, or rejects with it when the limit is
 * exceeded.
 */
export interface RateLimiter {
  consume(accountId: string): Promise<RateLimiterRes | undefined>;
  readonly options: RateLimiterOptions;
}

/** Counts in Redis for all API processes; during an outage of Redis each process counts for itself. */
export function createRateLimiter(redis: Redis, options: RateLimiterOptions): RateLimiter {
  const { requests, windowSeconds, prefix } = options;
  if (requests === 0) return { options, consume: async () => undefined };
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:rate`,
    points: requests,
    duration: windowSeconds,
    inMemoryBlockOnConsumed: requests + 1,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({ points: requests, duration: windowSeconds }),
  });
  return { options, consume: (accountId) => limiter.consume(accountId) };
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers: the policy, the remaining requests, and the seconds until
 * the reset. Requests with test keys have their own limit.
 */
export function rateLimit({
  limiter: ofLiveKeys,
  testLimiter,
}: {
  readonly limiter: RateLimiter;
  readonly testLimiter: RateLimiter;
}): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const isTest = c.get('isTest');
    await applyLimit(c, isTest ? testLimiter : ofLiveKeys, isTest ? 'test' : 'default');
    await next();
  };
}

/**
 * Counts the request against a limit, and adds the limit's name and state to the headers; several may apply to a request. Throws
 * `rate_limited` when it is exceeded.
 */
export async function applyLimit(c: Context<ApiEnv>, limiter: RateLimiter, name: string): Promise<void> {
  const { requests, windowSeconds } = limiter.options;
  let state: RateLimiterRes | undefined;
  let isRefused = false;
  try {
    state = await c.get('stages').time('limit', () => limiter.consume(c.get('accountId')));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    state = refusal;
    isRefused = true;
  }
  if (state === undefined) return;
  const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
  c.header('RateLimit-Policy', `"${name}";q=${requests};w=${windowSeconds}`, { append: true });
  c.header('RateLimit', `"${name}";r=${Math.max(0, state.remainingPoints)};t=${resetSeconds}`, { append: true });
  if (!isRefused) return;
  throw new AppError('rate_limited', `Rate limit exceeded: ${requests} requests in ${windowSeconds} seconds`, {
    retryAfterSeconds: resetSeconds,
  });
}
