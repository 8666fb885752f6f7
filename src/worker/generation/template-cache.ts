import { LRUCache } from 'lru-cache';
import { AppError } from '../../shared/errors.ts';
import type { CacheCounts } from '../../shared/metrics/watch-caches.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';

/** Template files by object key, which never changes its content; bounded by bytes. */
export interface TemplateCache {
  load(objectKey: string, checksum: string): Promise<Uint8Array>;
  readonly counts: () => CacheCounts;
}

export function createTemplateCache(objects: ObjectStore, maxBytes: number): TemplateCache {
  const entries = new LRUCache<string, Uint8Array>({ maxSize: maxBytes, sizeCalculation: (bytes) => bytes.length + 1 });
  const counts = { hits: 0, misses: 0 };
  const underWay = new Map<string, Promise<Uint8Array>>();
  const fetch = async (objectKey: string, checksum: string): Promise<Uint8Array> => {
    try {
      const bytes = await objects.get(objectKey, checksum);
      if (bytes === undefined) {
        throw new AppError('internal', 'The template file is missing in the file store', { retry: false });
      }
      entries.set(objectKey, bytes);
      return bytes;
    } finally {
      underWay.delete(objectKey);
    }
  };
  return {
    async load(objectKey, checksum) {
      const known = entries.get(objectKey);
      if (known !== undefined) {
        counts.hits += 1;
        return known;
      }
      counts.misses += 1;
      const running = underWay.get(objectKey) ?? fetch(objectKey, checksum);
      underWay.set(objectKey, running);
      return running;
    },
    counts: () => counts,
  };
}
