import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import type { FontRegistry } from '../shared/storage/font-registry.ts';
import { FontsDigest } from './pdf/office/fonts-digest.ts';
import { type InstalledFonts, listInstalledFonts } from './pdf/office/installed-fonts.ts';

const everyMs = 30_000;

/** The fonts of this worker's LibreOffice. */
export interface WorkerFonts {
  /** The characters of the fonts; undefined when fonts cannot be listed. */
  coverage(): InstalledFonts['coverage'] | undefined;
  /**
   * SHA-256 (hex) of the contents of the font files; undefined when fonts cannot be listed. Waits for the first digest.
   */
  digest(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/**
 * Lists this worker's fonts and announces them, now and every 30 seconds until stopped. `sofficePath` is the path of a
 * LibreOffice in a non-standard location.
 */
export async function watchFonts(registry: FontRegistry, logger: Logger, sofficePath?: string): Promise<WorkerFonts> {
  const workerId = newId('wrk');
  let fonts = await listInstalledFonts(sofficePath);
  if (fonts === undefined) {
    logger.warn('fonts cannot be listed: fc-list is missing; install the package fontconfig');
    return { coverage: () => undefined, digest: async () => undefined, stop: async () => undefined };
  }
  const { unavailable } = fonts;
  if (unavailable.length > 0)
    logger.warn({ unavailable }, 'LibreOffice cannot use fonts outside /usr; move them to /usr/local/share/fonts');
  const announce = async (listed: InstalledFonts): Promise<void> => {
    const list = { names: [...listed.families], families: listed.fonts.map(copied) };
    await registry
      .announce(workerId, list)
      .catch((error: unknown) => logger.warn({ err: error }, 'the fonts of this worker could not be registered'));
  };
  const update = async (before: InstalledFonts): Promise<void> => {
    const now = (await listInstalledFonts(sofficePath).catch(() => undefined)) ?? before;
    if (now.coverage.key !== before.coverage.key)
      logger.warn(
        { families: now.families.length },
        'the installed fonts have changed; restart this worker to use them',
      );
    fonts = now;
    await announce(now);
  };
  const digests = new FontsDigest();
  let digest: { readonly of: InstalledFonts; readonly value: Promise<string> } | undefined;
  const readDigest = (of: InstalledFonts): Promise<string> => {
    // One at a time, because each reuses the file hashes of the previous one.
    const before = digest?.value.catch(() => undefined);
    if (digest?.of !== of) digest = { of, value: Promise.resolve(before).then(() => digests.of(of.files)) };
    return digest.value;
  };
  await announce(fonts);
  const timer = setInterval(() => void (fonts && update(fonts)), everyMs);
  timer.unref();
  return {
    coverage: () => fonts?.coverage,
    digest: async () => (fonts === undefined ? undefined : readDigest(fonts)),
    async stop() {
      clearInterval(timer);
      await registry.withdraw(workerId).catch(() => undefined);
    },
  };
}

function copied({ name, styles, scripts, version }: InstalledFonts['fonts'][number]) {
  return { name, styles: [...styles], scripts: [...scripts], ...(version !== undefined && { version }) };
}
