import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import type { FontRegistry } from '../shared/storage/font-registry.ts';
import { listInstalledFonts } from './pdf/office/installed-fonts.ts';

const everyMs = 30_000;

/** Tells the fonts of this worker at once and every half minute, until it is stopped. `sofficePath` is for one in no usual place. */
export async function announceFonts(
  registry: FontRegistry,
  logger: Logger,
  sofficePath?: string,
): Promise<{ stop(): Promise<void> }> {
  const workerId = newId('wrk');
  const fonts = await listInstalledFonts(sofficePath);
  if (fonts === undefined) {
    logger.warn('the fonts of this machine cannot be listed: fc-list is missing (package fontconfig)');
    return { stop: async () => undefined };
  }
  const { families, unseen } = fonts;
  if (unseen.length > 0)
    logger.warn({ unseen }, 'LibreOffice sees no fonts outside /usr: move them to /usr/local/share/fonts');
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
