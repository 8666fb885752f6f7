import { existsSync, readFileSync } from 'node:fs';

/** Prints one closing line over the given vitest reports; a ring that left no report, or ran nothing, counts as failed. */
let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  passed += report?.numPassedTests ?? 0;
  const failedTests = report?.numFailedTests ?? 0;
  const isBroken = report === undefined || report.numTotalTests === 0 || (!report.success && failedTests === 0);
  failed += isBroken ? 1 : failedTests;
}
process.stdout.write(`tests: ${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
