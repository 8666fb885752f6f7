import type { MiddlewareHandler } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { RoundRobin } from '../http/round-robin.ts';

/**
 * Limits the memory of all request bodies in this process. A lease ends with its request. All bodies of one account may
 * take at most as much as remains free, so that others are not starved; a single body may take everything. `parts`
 * shares the time for reading large bodies among accounts.
 */
export function bodyMemory(maxBytes: number, parts: RoundRobin): MiddlewareHandler<ApiEnv> {
  let heldBytes = 0;
  const accounts = new Map<string, number>();
  return async (c, next) => {
    let ownBytes = 0;
    c.set('bodyLease', {
      schedule: (resume) => parts.schedule(c.get('accountId'), resume),
      take(bytes) {
        const account = c.get('accountId');
        const accountBytes = accounts.get(account) ?? 0;
        const isOnlyBody = accountBytes === ownBytes;
        const freeBytes = maxBytes - heldBytes - bytes;
        if (freeBytes < 0 || (!isOnlyBody && accountBytes + bytes > freeBytes)) {
          throw new AppError('unavailable', 'Too many large requests are in progress. Try again shortly.', {
            retryAfterSeconds: 2,
          });
        }
        heldBytes += bytes;
        ownBytes += bytes;
        accounts.set(account, accountBytes + bytes);
      },
    });
    try {
      await next();
    } finally {
      heldBytes -= ownBytes;
      if (ownBytes > 0) {
        const account = c.get('accountId');
        const remaining = (accounts.get(account) ?? 0) - ownBytes;
        if (remaining > 0) accounts.set(account, remaining);
        else accounts.delete(account);
      }
    }
  };
}
