import { existsSync, readFileSync } from 'node:fs';

/** The number of files listed with their time. */
const slowest = 20;

/**
 * Summarises the given vitest reports: the slowest files, each failure with its file, and the totals. A missing or
 * empty report counts as failed.
 */
let [passed, failed] = [0, 0];
const failures = [];
const times = [];
for (const file of process.argv.slice(2)) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  passed += report?.numPassedTests ?? 0;
  const failedTests = report?.numFailedTests ?? 0;
  const isBroken = report === undefined || report.numTotalTests === 0 || (!report.success && failedTests === 0);
  failed += isBroken ? 1 : failedTests;
  for (const { name, message, assertionResults } of report?.testResults ?? []) {
    const broken = assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages, duration = 0 } of broken)
      failures.push(`${name} > ${fullName}, after ${Math.round(duration / 1_000)} s\n${failureMessages.join('\n')}`);
    if (broken.length === 0 && message) failures.push(`${name}\n${message}`);
    const tests = assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
    times.push([Math.round(tests / 1_000), name]);
  }
}
times.sort(([one], [other]) => other - one);
if (times.length > 0) process.stdout.write('\nslowest files, seconds in tests:\n');
for (const [seconds, file] of times.slice(0, slowest)) process.stdout.write(`${String(seconds).padStart(6)} ${file}\n`);
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}\n`);
process.stdout.write(`tests: ${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
