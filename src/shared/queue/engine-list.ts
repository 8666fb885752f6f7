import type { PinnedEngine } from './contracts.ts';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

/** The engines for which documents have waited in queues of their own. There are as many as versions were ever used. */
export interface EngineList {
  /** Called before a document is added to the queue of an engine, so that a sweep finds it there. */
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
