import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../shared/errors.ts';
import type { Logger } from '../shared/logger.ts';

const maxRetryMs = 30_000;

/** Retries a final write for up to 30 seconds while PostgreSQL is down, so that a finished document is not produced twice. */
export async function retryOnOutage<T>(job: { readonly logger: Logger }, write: () => Promise<T>): Promise<T> {
  const until = performance.now() + maxRetryMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      return await write();
    } catch (error) {
      const isOutage = error instanceof AppError && error.code === 'unavailable';
      if (!isOutage || performance.now() + pauseMs > until) throw error;
      job.logger.warn({ err: error, pauseMs }, 'the database is unavailable; retrying');
      await delay(pauseMs);
    }
  }
}
