import { z } from 'zod';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

/**
 * Values that workers announce regularly, each under an id. If a worker stops, its value expires after the lifetime.
 */
export interface Announcements {
  announce(workerId: string, value: string): Promise<void>;
  withdraw(workerId: string): Promise<void>;
  /** The value of each live worker. */
  read(): Promise<readonly string[]>;
}

const entry = z.object({ untilMs: z.number(), value: z.string() });

export function createAnnouncements(redis: Redis, key: string, lifetimeMs: number): Announcements {
  return {
    async announce(workerId, value) {
      const text = JSON.stringify({ untilMs: (await readClockMs(redis)) + lifetimeMs, value });
      await guardedRedis(() => redis.hset(key, workerId, text));
    },
    async withdraw(workerId) {
      await guardedRedis(() => redis.hdel(key, workerId));
    },
    async read() {
      const [nowMs, entries] = await Promise.all([readClockMs(redis), guardedRedis(() => redis.hgetall(key))]);
      const values: string[] = [];
      const expired: string[] = [];
      for (const [workerId, text] of Object.entries(entries)) {
        const { success, data } = entry.safeParse(JSON.parse(text));
        if (success && data.untilMs > nowMs) values.push(data.value);
        else expired.push(workerId);
      }
      if (expired.length > 0) await guardedRedis(() => redis.hdel(key, ...expired));
      return values;
    },
  };
}

/** Uses the clock of Redis, because the clocks of hosts differ. */
async function readClockMs(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await guardedRedis(() => redis.time());
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}
