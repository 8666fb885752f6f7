import { LRUCache } from 'lru-cache';
import type { Database } from '../../shared/db/client.ts';
import { hashApiKey } from '../../shared/domain/api-keys/api-key.ts';
import { findKey, type KeyHolder } from '../../shared/domain/api-keys/find-key.ts';
import type { CacheCounts } from '../../shared/metrics/watch-caches.ts';

/** Finds the holder of a key; remembers the answer, found or not, for a few seconds from the look-up on, by the key's hash only. */
export interface KeyCache {
  /** The remembered holder of a live key, without looking further. */
  peek(apiKey: string): KeyHolder | undefined;
  /** Was this key live when it was last looked up, however long ago? */
  wasLive(apiKey: string): boolean;
  find(apiKey: string): Promise<KeyHolder | undefined>;
  readonly counts: () => CacheCounts;
}

export function createKeyCache(db: Database, ttlSeconds: number): KeyCache {
  const entries = new LRUCache<string, { readonly holder: KeyHolder | undefined }>({
    max: 20_000,
    ttl: Math.max(1, ttlSeconds * 1_000),
  });
  const live = new LRUCache<string, true>({ max: 20_000 });
  const counts = { hits: 0, misses: 0 };
  const underWay = new Map<string, Promise<KeyHolder | undefined>>();
  const look = async (apiKey: string, hash: string): Promise<KeyHolder | undefined> => {
    const start = performance.now();
    try {
      const holder = await findKey(db, apiKey);
      const ttl = Math.min(ttlSeconds * 1_000, Math.floor(holder?.expiresInMs ?? Number.POSITIVE_INFINITY));
      if (ttl > 0) entries.set(hash, { holder }, { ttl, start });
      if (holder === undefined) live.delete(hash);
      else live.set(hash, true);
      return holder;
    } finally {
      underWay.delete(hash);
    }
  };
  return {
    peek(apiKey) {
      const holder = entries.get(hashApiKey(apiKey).toString('base64'))?.holder;
      if (holder !== undefined) counts.hits += 1;
      return holder;
    },
    wasLive: (apiKey) => live.has(hashApiKey(apiKey).toString('base64')),
    async find(apiKey) {
      const hash = hashApiKey(apiKey).toString('base64');
      const known = entries.get(hash);
      counts[known === undefined ? 'misses' : 'hits'] += 1;
      if (known !== undefined) return known.holder;
      const running = underWay.get(hash) ?? look(apiKey, hash);
      underWay.set(hash, running);
      return running;
    },
    counts: () => counts,
  };
}
