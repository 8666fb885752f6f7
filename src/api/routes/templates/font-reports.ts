import { LRUCache } from 'lru-cache';
import { checkFonts, type FontReport } from '../../../shared/fonts.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { AnnouncedFonts, FontRegistry } from '../../../shared/storage/font-registry.ts';

/** Knows the workers' fonts, which are cached for ten seconds. */
export interface FontReporter {
  /** Undefined when no worker has announced its fonts. Throws while the registry cannot be read. */
  list(): Promise<AnnouncedFonts | undefined>;
  /** How fonts will appear in a PDF. */
  report(used: readonly string[]): Promise<FontReport[]>;
}

interface WorkerFonts {
  readonly announced: AnnouncedFonts | undefined;
  readonly error?: unknown;
}

export function createFontReporter(registry: FontRegistry, logger: Logger): FontReporter {
  const cache = new LRUCache<'fonts', WorkerFonts>({
    max: 1,
    ttl: 10_000,
    async fetchMethod() {
      try {
        return { announced: await registry.read() };
      } catch (error) {
        logger.warn({ err: error }, 'the fonts of the workers could not be read');
        return { announced: undefined, error };
      }
    },
  });
  return {
    async list() {
      const { announced, error } = await cache.forceFetch('fonts');
      if (error !== undefined) throw error;
      return announced;
    },
    report: async (used) =>
      used.length === 0 ? [] : checkFonts(used, (await cache.forceFetch('fonts')).announced?.common),
  };
}
