import { Redis } from 'ioredis';
import type { Logger } from '../logger.ts';

export type { Redis } from 'ioredis';

/**
 * `commands` fails fast when Redis is away (no offline queue, bounded commands), so that a request never hangs on it;
 * `blocking` waits for ever, as BullMQ's workers must; `subscriber` reconnects and subscribes again by itself.
 */
export type ConnectionRole = 'commands' | 'blocking' | 'subscriber';

const commandTimeoutMs = 5_000;

// Without any answer for so long the server is taken for gone: one that lost its power never says so. BullMQ blocks 10 s.
const silenceMs = { commands: 6_000, blocking: 15_000, subscriber: 6_000 } as const;

export function openRedis(url: string, role: ConnectionRole, logger: Logger): Redis {
  const redis = new Redis(url, {
    lazyConnect: false,
    connectTimeout: 5_000,
    keepAlive: 30_000,
    socketTimeout: silenceMs[role],
    retryStrategy: (times) => Math.min(50 * times, 1_000),
    enableReadyCheck: true,
    ...(role === 'commands'
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: commandTimeoutMs }
      : { maxRetriesPerRequest: null }),
  });
  redis.on('error', (error: Error) => logger.warn({ err: error, role }, 'redis connection failed'));
  return redis;
}

/** Resolves when the connection can take commands; rejects when it cannot within the time. */
export function redisReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', ready);
      reject(new Error(`Redis is not reachable within ${timeoutMs} ms`));
    }, timeoutMs);
    const ready = (): void => {
      clearTimeout(timer);
      resolve();
    };
    redis.once('ready', ready);
  });
}

/** Closes without waiting for a server that is away. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => redis.disconnect());
  else redis.disconnect();
}
