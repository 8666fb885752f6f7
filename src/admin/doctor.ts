import { loadOfficeConfig } from '../shared/config/load-config.ts';
import { createLogger } from '../shared/logger.ts';
import { listInstalledFonts } from '../worker/pdf/office/installed-fonts.ts';
import { startOfficePool } from '../worker/pdf/office/office-pool.ts';
import { findPrograms } from '../worker/pdf/office/programs.ts';
import { knownScripts } from '../worker/pdf/office/script-languages.ts';
import type { Command } from './parse-command.ts';

/** Starts LibreOffice as a worker on this machine would. The start includes conversions, so it proves that they work. */
export const doctorCommand: Command = {
  summary:
    'Start LibreOffice with the settings of this machine, and report its version, its jail, the time it takes and the scripts of its fonts',
  options: {},
  async run() {
    const config = loadOfficeConfig();
    const hints = { sofficePath: config.OFFICE_PATH, pythonPath: config.OFFICE_PYTHON_PATH };
    const { soffice: program, python } = await findPrograms(hints);
    const startedAt = performance.now();
    const pool = await startOfficePool({
      ...hints,
      slots: 1,
      convertTimeoutMs: config.OFFICE_START_TIMEOUT_MS,
      startTimeoutMs: config.OFFICE_START_TIMEOUT_MS,
      recycleAfter: 1,
      memoryLimitBytes: config.OFFICE_MEMORY_LIMIT_MB * 1024 * 1024,
      tempDir: config.OFFICE_TEMP_DIR,
      jail: config.OFFICE_JAIL,
      logger: createLogger('silent', 'doctor'),
    });
    try {
      const startMs = Math.round(performance.now() - startedAt);
      const { engine, jail } = pool.status();
      const office = { ...engine, program, python, jail, startMs };
      return { node: process.versions.node, office, fonts: await describeFonts(config.OFFICE_PATH) };
    } finally {
      await pool.close();
    }
  },
};

/** The scripts (ISO 15924) that the fonts cover, and those that PDFs cannot print. Null without fontconfig. */
async function describeFonts(sofficePath: string | undefined) {
  const installed = await listInstalledFonts(sofficePath);
  if (installed === undefined) return null;
  const covered = new Set(installed.fonts.flatMap(({ scripts }) => scripts));
  return {
    families: installed.fonts.length,
    scripts: knownScripts.filter((script) => covered.has(script)),
    missingScripts: knownScripts.filter((script) => !covered.has(script)),
  };
}
