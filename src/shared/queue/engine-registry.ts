import { z } from 'zod';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

const entry = z.object({ untilMs: z.number(), engine: z.string() });
/** By the clock of Redis, because those of hosts differ. */
const lifetimeMs = 20_000;

/** The engines of the workers that serve PDFs; each worker announces its own regularly. */
export interface EngineRegistry {
  announce(workerId: string, engine: string): Promise<void>;
  withdraw(workerId: string): Promise<void>;
  /** The versions that live workers have. */
  read(): Promise<ReadonlySet<string>>;
}

/** Queues are served by different workers, so each kind has a registry of its own. */
export function createEngineRegistry(redis: Redis, prefix: string, queue: 'pdf' | 'pdf-batch'): EngineRegistry {
  const key = `${prefix}:engines:${queue}`;
  return {
    async announce(workerId, engine) {
      const value = JSON.stringify({ untilMs: (await readClockMs(redis)) + lifetimeMs, engine });
      await guardedRedis(() => redis.hset(key, workerId, value));
    },
    async withdraw(workerId) {
      await guardedRedis(() => redis.hdel(key, workerId));
    },
    async read() {
      const live = new Set<string>();
      const nowMs = await readClockMs(redis);
      for (const [workerId, text] of Object.entries(await guardedRedis(() => redis.hgetall(key)))) {
        const { untilMs, engine } = entry.parse(JSON.parse(text));
        if (untilMs > nowMs) live.add(engine);
        else await guardedRedis(() => redis.hdel(key, workerId));
      }
      return live;
    },
  };
}

async function readClockMs(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await guardedRedis(() => redis.time());
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}
