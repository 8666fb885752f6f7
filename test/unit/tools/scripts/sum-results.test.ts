import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();

function sum(...reports: (object | undefined)[]): { line: string; exitCode: number | null } {
  const folder = newFolder();
  const files = reports.map((report, index) => {
    const file = join(folder, `${index}.json`);
    if (report !== undefined) writeFileSync(file, JSON.stringify(report));
    return file;
  });
  const { stdout, status } = spawnSync(process.execPath, ['scripts/sum-results.mjs', ...files], { encoding: 'utf8' });
  return { line: stdout, exitCode: status };
}

const good = { success: true, numTotalTests: 3, numPassedTests: 3, numFailedTests: 0 };

test('adds up the results of all suites', () => {
  expect(sum(good, { ...good, numPassedTests: 4 })).toEqual({ line: 'tests: 7 passed, 0 failed\n', exitCode: 0 });
});

test.each([
  ['a failed test', { success: false, numTotalTests: 3, numPassedTests: 2, numFailedTests: 1 }, 5, 1],
  ['a suite that ran nothing', { success: true, numTotalTests: 0, numPassedTests: 0, numFailedTests: 0 }, 3, 1],
  ['a file that could not be loaded', { ...good, success: false }, 6, 1],
  ['a suite that left no report', undefined, 3, 1],
])('%s is a failure', (_what, report, passed, failed) => {
  expect(sum(good, report)).toEqual({ line: `tests: ${passed} passed, ${failed} failed\n`, exitCode: 1 });
});

const flaky = (count: number) => ({
  ...good,
  testResults: [
    {
      name: 'a.test.ts',
      assertionResults: [
        { fullName: 'steady', status: 'passed', failureMessages: [] },
        ...Array.from({ length: count }, (_, index) => ({
          fullName: `shaky ${index}`,
          status: 'passed',
          failureMessages: [`AssertionError ${index}`],
        })),
      ],
    },
  ],
});

test('lists tests that passed on the second attempt, with their first failure', () => {
  const { line, exitCode } = sum(flaky(1));
  expect(line).toContain('flaky: a.test.ts > shaky 0\nAssertionError 0\n');
  expect(line).not.toContain('flaky: a.test.ts > steady');
  expect(line).toMatch(/tests: 3 passed, 0 failed, 1 passed at the second try\n$/);
  expect(exitCode).toBe(0);
});

test('more than three tests that needed a second attempt are a failure, or more than one in a thousand', () => {
  expect(sum(flaky(3)).exitCode).toBe(0);
  expect(sum(flaky(4)).exitCode).toBe(1);
  const many = { ...good, numTotalTests: 5_000, numPassedTests: 5_000 };
  expect(sum(many, { ...flaky(5), numPassedTests: 0 }).exitCode).toBe(0);
  expect(sum(many, { ...flaky(6), numPassedTests: 0 }).exitCode).toBe(1);
});

test('all failures of a test that failed at both attempts are printed', () => {
  const failed = {
    fullName: 'broken',
    status: 'failed',
    failureMessages: ['first cause', 'what it left'],
    duration: 5_000,
  };
  const report = { ...good, numFailedTests: 1, testResults: [{ name: 'a.test.ts', assertionResults: [failed] }] };
  expect(sum(report).line).toContain('failed: a.test.ts > broken, after 5 s\nfirst cause\nwhat it left\n');
});

test('the slowest files are listed with the seconds of their tests', () => {
  const file = (name: string, ...times: number[]) => ({
    name,
    assertionResults: times.map((duration) => ({ fullName: '', status: 'passed', failureMessages: [], duration })),
  });
  const { line } = sum({ ...good, testResults: [file('a.test.ts', 1_000), file('b.test.ts', 60_000, 70_000)] });
  expect(line).toContain('slowest files, seconds in tests:\n   130 b.test.ts\n     1 a.test.ts\n');
});
