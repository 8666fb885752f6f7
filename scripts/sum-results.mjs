import { existsSync, readFileSync } from 'node:fs';

/** The files that are listed with their time. */
const slowest = 20;
/** More flaky tests than these, or than one in a thousand, fail the run. */
const mostFlaky = 3;

/**
 * Prints the totals of the given vitest reports; a missing or empty report counts as failed. Lists the tests that failed, and those that
 * passed at the second attempt with their first failure, and the files that take longest.
 */
let [passed, failed] = [0, 0];
const flaky = [];
const broken = [];
const times = [];
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
    flaky.push(...again.map((test) => ({ ...test, file: name })));
    const ended = assertionResults.filter(({ status }) => status === 'failed');
    broken.push(...ended.map((test) => ({ ...test, file: name })));
    const tests = assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
    times.push([Math.round(tests / 1_000), name]);
  }
}
for (const { file, fullName, failureMessages } of flaky) {
  process.stdout.write(`\nflaky: ${file} > ${fullName}\n${failureMessages[0]}\n`);
}
for (const { file, fullName, failureMessages, duration = 0 } of broken) {
  const after = `after ${Math.round(duration / 1_000)} s`;
  process.stdout.write(`\nfailed: ${file} > ${fullName}, ${after}\n${failureMessages.join('\n')}\n`);
}
times.sort(([one], [other]) => other - one);
if (times.length > 0) process.stdout.write('\nslowest files, seconds in tests:\n');
for (const [seconds, file] of times.slice(0, slowest)) process.stdout.write(`${String(seconds).padStart(6)} ${file}\n`);
const tail = flaky.length === 0 ? '' : `, ${flaky.length} passed at the second try`;
process.stdout.write(`tests: ${passed} passed, ${failed} failed${tail}\n`);
process.exit(failed === 0 && flaky.length <= Math.max(mostFlaky, passed / 1_000) ? 0 : 1);
