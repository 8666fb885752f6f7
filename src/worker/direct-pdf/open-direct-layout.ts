import type { WorkerConfig } from '../../shared/config/load-config.ts';
import type { Logger } from '../../shared/logger.ts';
import { Comparer } from '../pdf/compare/comparer.ts';
import { createDirectPool, type DirectPool } from '../pdf/direct-process/direct-pool.ts';
import { readInstalledVersion } from '../pdf/office/installed-version.ts';
import type { WorkerFonts } from '../watch-fonts.ts';
import { type BackgroundWork, createBackgroundWork } from './background-work.ts';
import { digestProgram, layoutKeyOf } from './layout-key.ts';

/** The services that lay out PDFs without LibreOffice and check the result. */
export interface DirectLayout {
  readonly pool: DirectPool;
  /**
   * The layout key of the engines and their fonts. Undefined if the fonts cannot be listed, or have changed since this
   * worker started, because running engines keep the fonts with which they started.
   */
  key(): Promise<string | undefined>;
  /** Compares the pages of both engines, one document at a time. */
  readonly comparer: Comparer;
  /** Runs comparisons of documents after their callers have the response. */
  readonly pageChecks: BackgroundWork;
  close(): Promise<void>;
}

/** Undefined when direct layout is turned off, or the worker has no LibreOffice. */
export async function openDirectLayout(
  config: WorkerConfig,
  fonts: WorkerFonts | undefined,
  logger: Logger,
): Promise<DirectLayout | undefined> {
  if (config.DIRECT_PDF === 'off' || fonts === undefined) return undefined;
  const [office, program] = await Promise.all([readInstalledVersion(config.OFFICE_PATH), digestProgram()]);
  const fontsAtStart = fonts.digest().catch(() => undefined);
  const pool = await createDirectPool({
    processes: config.RENDER_PROCESSES,
    sofficePath: config.OFFICE_PATH,
    pythonPath: config.OFFICE_PYTHON_PATH,
    tempDir: config.OFFICE_TEMP_DIR,
    logger,
  });
  const comparer = new Comparer();
  const pageChecks = createBackgroundWork(logger);
  return {
    pool,
    async key() {
      const [digest, first] = [await fonts.digest(), await fontsAtStart];
      if (digest === undefined || digest !== first) return undefined;
      return layoutKeyOf({ office, program, fonts: digest });
    },
    comparer,
    pageChecks,
    async close() {
      pageChecks.stop();
      await Promise.all([comparer.close(), pool.close()]);
    },
  };
}
