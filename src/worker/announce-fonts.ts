import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import type { FontRegistry } from '../shared/storage/font-registry.ts';
import { listInstalledFonts } from './office/installed-fonts.ts';

const everyMs = 30_000;

/** Tells the fonts of this worker at once and every half minute, until it is stopped. */
export async function announceFonts(registry: FontRegistry, logger: Logger): Promise<{ stop(): Promise<void> }> {
  const workerId = newId('wrk');
  const families = await listInstalledFonts();
  if (families === undefined) {
    logger.warn('the fonts of this machine cannot be listed: fc-list is missing (package fontconfig)');
    return { stop: async () => undefined };
  }
  const announce = (): Promise<void> =>
    registry.announce(workerId, families).catch((error: unknown) => logger.warn({ err: error }, 'fonts not announced'));
  await announce();
  const timer = setInterval(() => void announce(), everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await registry.withdraw(workerId).catch(() => undefined);
    },
  };
}
