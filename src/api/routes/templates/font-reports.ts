import { LRUCache } from 'lru-cache';
import { checkFonts, type FontReport } from '../../../shared/fonts.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { FontRegistry } from '../../../shared/storage/font-registry.ts';

/** Reports how fonts will appear in a PDF, from the workers' fonts, which are cached for ten seconds. */
export interface FontReporter {
  report(used: readonly string[]): Promise<FontReport[]>;
}

interface WorkerFonts {
  /** Undefined while the registry cannot be read. */
  readonly families: readonly string[] | undefined;
}

export function createFontReporter(registry: FontRegistry, logger: Logger): FontReporter {
  const cache = new LRUCache<'fonts', WorkerFonts>({
    max: 1,
    ttl: 10_000,
    async fetchMethod() {
      try {
        return { families: await registry.read() };
      } catch (error) {
        logger.warn({ err: error }, 'the fonts of the workers could not be read');
        return { families: undefined };
      }
    },
  });
  return {
    report: async (used) => (used.length === 0 ? [] : checkFonts(used, (await cache.forceFetch('fonts')).families)),
  };
}
