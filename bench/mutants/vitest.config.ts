import { fileURLToPath } from 'node:url';
import { defineConfig, type UserProjectConfigExport } from 'vitest/config';
import config from '../../vitest.config.ts';

/** Only the unit tests, because Stryker's runner passes its options to a single project. */
const unit = config.test?.projects?.find(
  (project) => typeof project === 'object' && 'test' in project && project.test?.name === 'unit',
);
if (typeof unit !== 'object' || !('test' in unit)) throw new Error('vitest.config.ts has no project "unit".');
const setupFiles = [fileURLToPath(new URL('forget-coverage.ts', import.meta.url))];
// Stryker stops hanging tests. A slow machine alone must not make a test fail.
export default defineConfig({
  ...unit,
  test: { ...unit.test, setupFiles, testTimeout: 3_600_000 },
} as UserProjectConfigExport & object);
