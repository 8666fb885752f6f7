import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../shared/errors.ts';
import type { Logger } from '../shared/logger.ts';

const patienceMs = 30_000;

/**
 * Runs a write that ends an attempt, again and again through an outage of PostgreSQL of up to half a minute, so that a
 * finished document is not made a second time for it.
 */
export async function retryOnOutage<T>(logger: Logger, write: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      return await write();
    } catch (error) {
      const isOutage = error instanceof AppError && error.code === 'unavailable';
      if (!isOutage || performance.now() + pauseMs > until) throw error;
      logger.warn({ err: error, pauseMs }, 'the database is away; trying again');
      await delay(pauseMs);
    }
  }
}
