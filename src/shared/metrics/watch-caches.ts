import { Counter, type Registry } from 'prom-client';

/** The hits and misses of a cache since the process started. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/** `docmill_cache_lookups_total` by cache and result. */
export function watchCaches(registry: Registry, caches: Readonly<Record<string, () => CacheCounts>>): void {
  new Counter({
    name: 'docmill_cache_lookups_total',
    help: 'Lookups in the caches of this process.',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, counts] of Object.entries(caches)) {
        const { hits, misses } = counts();
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
}
