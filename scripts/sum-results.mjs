import { existsSync, readFileSync } from 'node:fs';

/** More tests than this that needed their second try are a fault of their own. */
const mostUnsteady = 3;

/**
 * Prints one closing line over the given vitest reports; a ring that left no report, or ran nothing, counts as failed. Tests that
 * passed at the second try are named, with why they failed at the first.
 */
let [passed, failed] = [0, 0];
const unsteady = [];
for (const file of process.argv.slice(2)) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  passed += report?.numPassedTests ?? 0;
  const failedTests = report?.numFailedTests ?? 0;
  const isBroken = report === undefined || report.numTotalTests === 0 || (!report.success && failedTests === 0);
  failed += isBroken ? 1 : failedTests;
  for (const { name, assertionResults } of report?.testResults ?? []) {
    const again = assertionResults.filter(
      ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0,
    );
    unsteady.push(...again.map((test) => ({ ...test, file: name })));
  }
}
for (const { file, fullName, failureMessages } of unsteady) {
  process.stdout.write(`\nunsteady: ${file} > ${fullName}\n${failureMessages[0]}\n`);
}
const tail = unsteady.length === 0 ? '' : `, ${unsteady.length} passed at the second try`;
process.stdout.write(`tests: ${passed} passed, ${failed} failed${tail}\n`);
process.exit(failed === 0 && unsteady.length <= mostUnsteady ? 0 : 1);
