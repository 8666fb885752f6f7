import { type Command, flag, optional, required } from '../parse-command.ts';
import type { Summary } from './report/summary.ts';

/** Compares the pages of two engines before an upgrade. */
export const engineCheckCommand: Command = {
  summary: 'Lay out all live templates with two versions of LibreOffice and report how their pages differ',
  options: {
    old: required('<folder>'),
    new: required('<folder>'),
    report: required('<folder>'),
    folder: optional('<folder>'),
    rules: optional('<folder>'),
    golden: optional('<folder>'),
    'store-golden': flag,
    'allow-real-data': flag,
    'pin-differences': flag,
    jobs: optional('<n>'),
    dpi: optional('<n>'),
    'max-pages': optional('<n>'),
    'timeout-seconds': optional('<n>'),
  },
  failureExitCode: 2,
  // A folder of files needs no database.
  isRecorded: (options) => !options.has('folder'),
  exitCodeOf(result) {
    const { different, missing, failed } = result as Summary;
    if (missing + failed > 0) return 2;
    return different > 0 ? 1 : 0;
  },
  run: async (deps, options) => (await import('./compare-engines.ts')).compareEngines(deps, options),
};
