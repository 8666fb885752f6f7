import type { MiddlewareHandler } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** Limits the memory of all request bodies in this process. A lease ends with its request. */
export function bodyMemory(maxBytes: number): MiddlewareHandler<ApiEnv> {
  let heldBytes = 0;
  return async (c, next) => {
    let ownBytes = 0;
    c.set('bodyLease', {
      take(bytes) {
        if (heldBytes + bytes > maxBytes) {
          throw new AppError('unavailable', 'Too many large requests are in progress. Try again shortly.', {
            retryAfterSeconds: 2,
          });
        }
        heldBytes += bytes;
        ownBytes += bytes;
      },
    });
    try {
      await next();
    } finally {
      heldBytes -= ownBytes;
    }
  };
}
