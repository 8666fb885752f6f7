import { z } from 'zod';
import { guardedRedis } from '../queue/errors.ts';
import type { Redis } from '../queue/redis.ts';

const entry = z.object({ untilMs: z.number(), families: z.array(z.string()) });
const lifetimeMs = 90_000;

/** The fonts of the workers that convert to PDF; each worker announces its own regularly. */
export interface FontRegistry {
  announce(workerId: string, families: readonly string[]): Promise<void>;
  withdraw(workerId: string): Promise<void>;
  /** The families that all live workers have; undefined when no worker has announced its fonts. */
  read(): Promise<readonly string[] | undefined>;
}

export function createFontRegistry(redis: Redis, prefix: string): FontRegistry {
  const key = `${prefix}:fonts`;
  return {
    async announce(workerId, families) {
      const value = JSON.stringify({ untilMs: Date.now() + lifetimeMs, families });
      await guardedRedis(() => redis.hset(key, workerId, value));
    },
    async withdraw(workerId) {
      await guardedRedis(() => redis.hdel(key, workerId));
    },
    async read() {
      const values = await guardedRedis(() => redis.hgetall(key));
      const live: (readonly string[])[] = [];
      for (const [workerId, text] of Object.entries(values)) {
        const { untilMs, families } = entry.parse(JSON.parse(text));
        if (untilMs > Date.now()) live.push(families);
        else await guardedRedis(() => redis.hdel(key, workerId));
      }
      const [first, ...others] = live;
      if (first === undefined) return undefined;
      const sets = others.map((families) => new Set(families));
      return first.filter((family) => sets.every((set) => set.has(family)));
    },
  };
}
