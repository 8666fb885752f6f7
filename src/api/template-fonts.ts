import { type FontReport, judgeFonts } from '../shared/fonts.ts';
import type { Logger } from '../shared/logger.ts';
import type { FontRegistry } from '../shared/storage/font-registry.ts';

const cacheMs = 10_000;

/** Judges fonts against what the workers have; what they have is read anew every ten seconds at most. */
export interface FontJudge {
  judge(used: readonly string[]): Promise<FontReport[]>;
}

export function createFontJudge(registry: FontRegistry, logger: Logger): FontJudge {
  let cached: { readonly at: number; readonly families: Promise<readonly string[] | undefined> } | undefined;
  const read = (): Promise<readonly string[] | undefined> =>
    registry.read().catch((error: unknown) => {
      logger.warn({ err: error }, 'the fonts of the workers are not known');
      return undefined;
    });
  return {
    async judge(used) {
      if (used.length === 0) return [];
      const now = performance.now();
      if (cached === undefined || now - cached.at > cacheMs) cached = { at: now, families: read() };
      return judgeFonts(used, await cached.families);
    },
  };
}
