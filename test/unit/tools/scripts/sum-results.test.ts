import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolders } from '../../../support/folder.ts';

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

test('each failure is printed with its file and all of its messages, after the slowest files', () => {
  const test = { fullName: 'a letter is sent', status: 'failed', failureMessages: ['cause', 'what it left'] };
  const testResults = [
    { name: 'b.test.ts', message: '', assertionResults: [{ ...test, status: 'passed', duration: 130_400 }] },
    { name: 'a.test.ts', message: '', assertionResults: [{ ...test, duration: 5_000 }] },
    { name: 'c.test.ts', message: 'no such module', assertionResults: [] },
  ];
  expect(sum({ ...good, numFailedTests: 1, testResults }).line).toBe(`
slowest files, seconds in tests:
   130 b.test.ts
     5 a.test.ts
     0 c.test.ts

failed: a.test.ts > a letter is sent, after 5 s
cause
what it left

failed: c.test.ts
no such module
tests: 3 passed, 1 failed
`);
});
