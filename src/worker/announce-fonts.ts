import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import type { FontRegistry } from '../shared/storage/font-registry.ts';
import { listInstalledFonts } from './pdf/office/installed-fonts.ts';

const everyMs = 30_000;

/** Registers this worker's fonts now and every 30 seconds until stopped. Set `sofficePath` for a non-standard installation. */
export async function announceFonts(
  registry: FontRegistry,
  logger: Logger,
  sofficePath?: string,
): Promise<{ stop(): Promise<void> }> {
  const workerId = newId('wrk');
  const fonts = await listInstalledFonts(sofficePath);
  if (fonts === undefined) {
    logger.warn('fonts cannot be listed: fc-list is missing; install the package fontconfig');
    return { stop: async () => undefined };
  }
  const { families, unavailable } = fonts;
  if (unavailable.length > 0)
    logger.warn({ unavailable }, 'LibreOffice cannot use fonts outside /usr; move them to /usr/local/share/fonts');
  const announce = (): Promise<void> =>
    registry
      .announce(workerId, families)
      .catch((error: unknown) => logger.warn({ err: error }, 'the fonts of this worker could not be registered'));
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
