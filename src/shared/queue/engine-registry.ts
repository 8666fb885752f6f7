import { createAnnouncements } from './announcements.ts';
import type { Redis } from './redis.ts';

const lifetimeMs = 20_000;

/** The engines of the workers that serve PDFs; each worker announces its own regularly. */
export interface EngineRegistry {
  announce(workerId: string, engine: string): Promise<void>;
  withdraw(workerId: string): Promise<void>;
  /** The versions that live workers run. */
  read(): Promise<ReadonlySet<string>>;
}

/** The two queues are served by different workers, so each has its own registry. */
export function createEngineRegistry(redis: Redis, prefix: string, queue: 'pdf' | 'pdf-batch'): EngineRegistry {
  const announcements = createAnnouncements(redis, `${prefix}:engines:${queue}`, lifetimeMs);
  return { ...announcements, read: async () => new Set(await announcements.read()) };
}
