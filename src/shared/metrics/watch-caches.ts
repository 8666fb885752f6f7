import { Counter, type Registry } from 'prom-client';

/** How often a cache was asked, and what for in vain. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/** `docmill_cache_lookups_total` by cache and result. */
export function watchCaches(registry: Registry, caches: Readonly<Record<string, () => CacheCounts>>): void {
  new Counter({
    name: 'docmill_cache_lookups_total',
    help: 'Look-ups in the caches of this process.',
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
