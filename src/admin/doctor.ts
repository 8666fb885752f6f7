import { loadOfficeConfig } from '../shared/config/load-config.ts';
import { createLogger } from '../shared/logger.ts';
import { startOfficePool } from '../worker/pdf/office/office-pool.ts';
import { findPrograms } from '../worker/pdf/office/programs.ts';
import type { Command } from './parse-command.ts';

/** Starts LibreOffice as a worker on this machine would. The start includes conversions, so it proves that they work. */
export const doctorCommand: Command = {
  summary:
    'Start LibreOffice with the settings of this machine, and report its version, its jail and the time it takes',
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
      return { node: process.versions.node, office: { ...engine, program, python, jail, startMs } };
    } finally {
      await pool.close();
    }
  },
};
