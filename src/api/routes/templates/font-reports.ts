import { LRUCache } from 'lru-cache';
import type { Database } from '../../../shared/db/client.ts';
import { listFontNames } from '../../../shared/domain/fonts/find-fonts.ts';
import { checkFonts, type FontReport } from '../../../shared/fonts.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { AnnouncedFonts, FontRegistry } from '../../../shared/storage/font-registry.ts';

/** Reports on the workers' fonts, which are cached for ten seconds. */
export interface FontReporter {
  /** Undefined when no worker has announced its fonts. Throws while the registry cannot be read. */
  list(): Promise<AnnouncedFonts | undefined>;
  /** Reports how fonts will appear in a PDF of the account, which may have its own fonts. */
  report(used: readonly string[], accountId: string): Promise<FontReport[]>;
}

interface WorkerFonts {
  readonly announced: AnnouncedFonts | undefined;
  readonly error?: unknown;
}

export function createFontReporter(db: Database, registry: FontRegistry, logger: Logger): FontReporter {
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
    async report(used, accountId) {
      if (used.length === 0) return [];
      const common = (await cache.forceFetch('fonts')).announced?.common;
      const reports = checkFonts(used, common);
      if (common === undefined || reports.every(({ status }) => status === 'available')) return reports;
      return checkFonts(used, common, await listFontNames(db, accountId));
    },
  };
}
