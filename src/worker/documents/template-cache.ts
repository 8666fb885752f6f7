import { LRUCache } from 'lru-cache';
import { AppError } from '../../shared/errors.ts';
import type { CacheCounts } from '../../shared/metrics/watch-caches.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';

/** Caches template files by object key, bounded by bytes. The content of a key never changes. */
export interface TemplateCache {
  /** Concurrent loads of one key share a request. Throws if the file is missing. */
  load(objectKey: string, checksum: string): Promise<Uint8Array>;
  readonly counts: () => CacheCounts;
}

export function createTemplateCache(objects: ObjectStore, maxBytes: number): TemplateCache {
  const counts = { hits: 0, misses: 0 };
  const cache = new LRUCache<string, Uint8Array, { readonly checksum: string }>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes.length + 1,
    // A running load that is evicted still completes; otherwise it would reject.
    ignoreFetchAbort: true,
    fetchMethod: (objectKey, _stale, { context }) => objects.get(objectKey, context.checksum),
  });
  return {
    async load(objectKey, checksum) {
      counts[cache.has(objectKey) ? 'hits' : 'misses'] += 1;
      const bytes = await cache.fetch(objectKey, { context: { checksum } });
      if (bytes !== undefined) return bytes;
      throw new AppError('internal', 'The template file is missing from the file store', { retry: false });
    },
    counts: () => counts,
  };
}
