import type { MiddlewareHandler } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Redis } from '../../shared/queue/redis.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { applyLimit, createRateLimiter, type RateLimiter } from './rate-limit.ts';

const windowSeconds = 60;
const maxLimiters = 100;

export interface OperatorLimiters {
  /** The limiter of keys with this number of requests in a minute; null for the configured number. */
  of(requestsPerMinute: number | null): RateLimiter;
}

export function createOperatorLimiters(redis: Redis, usual: number, prefix: string): OperatorLimiters {
  const limiters = new LRUCache<number, RateLimiter>({ max: maxLimiters });
  return {
    of(requestsPerMinute) {
      const requests = requestsPerMinute ?? usual;
      const existing = limiters.get(requests);
      if (existing !== undefined) return existing;
      const limiter = createRateLimiter(redis, { requests, windowSeconds, prefix: `${prefix}:operator` });
      limiters.set(requests, limiter);
      return limiter;
    },
  };
}

/** Counts the request against the limit of its operator key. */
export function operatorRateLimit(limiters: OperatorLimiters): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await applyLimit(c, limiters.of(c.get('operator')?.requestsPerMinute ?? null), 'operator');
    await next();
  };
}
