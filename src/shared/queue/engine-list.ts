import type { PinnedEngine } from './contracts.ts';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

/** The engines whose queues have ever held documents. One entry for each version that was ever used. */
export interface EngineList {
  /** Call before adding a document to an engine's queue, so that a sweep finds it there. */
  remember(engine: PinnedEngine): Promise<void>;
  list(): Promise<readonly string[]>;
}

export function createEngineList(redis: Redis, prefix: string): EngineList {
  const key = `${prefix}:pinned-engines`;
  return {
    async remember(engine) {
      if (typeof engine === 'string') await guardedRedis(() => redis.sadd(key, engine));
    },
    list: () => guardedRedis(() => redis.smembers(key)),
  };
}
