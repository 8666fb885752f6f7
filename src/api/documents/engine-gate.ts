import { LRUCache } from 'lru-cache';
import { AppError } from '../../shared/errors.ts';
import type { EngineRegistry } from '../../shared/queue/engine-registry.ts';

export interface EngineGate {
  /** Throws `unavailable` when no worker has the engine to which a document's template is pinned. */
  require(engine: string): Promise<void>;
}

const cacheMs = 2_000;
const retryAfterSeconds = 30;

/** Reads the workers' engines at most every two seconds. */
export function createEngineGate(registry: Pick<EngineRegistry, 'read'>): EngineGate {
  const cache = new LRUCache<'engines', ReadonlySet<string>>({
    max: 1,
    ttl: cacheMs,
    fetchMethod: () => registry.read(),
  });
  return {
    async require(engine) {
      if ((await cache.forceFetch('engines')).has(engine)) return;
      throw new AppError(
        'unavailable',
        `This template is pinned to LibreOffice ${engine}, and no worker with this version is running. Try again later.`,
        { retryAfterSeconds },
      );
    },
  };
}
