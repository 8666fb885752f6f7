import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { descendants } from '../../test/faults/harness/measure.ts';
import { processIdentity, readCommandLine, signalProcess } from '../../tools/local/processes/process-identity.ts';

/** One run of `npm test`. */
export interface TestRun {
  readonly load: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Failed tests, files that could not be loaded, errors outside tests, and processes left running. */
  readonly failures: readonly string[];
}

interface RunPlan {
  readonly name: string;
  readonly load: string;
  /** The folder for the output and the reports. */
  readonly folder: string;
  /** Stops the run and everything it started. */
  readonly signal: AbortSignal;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const suites = ['unit', 'services'];
/** The errors outside a test in Vitest's output. */
const outside = /^⎯+ (Unhandled Rejection|Unhandled Error|Uncaught Exception) ⎯+\n(.*)$/gm;
const lookEveryMs = 1_000;
/** The grace period for processes that exit when their parent does. */
const endingMs = 15_000;

export async function runTests({ name, load, folder, signal }: RunPlan): Promise<TestRun> {
  const results = join(folder, name);
  mkdirSync(results);
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const startedAt = performance.now();
  const env = { ...process.env, TEST_RESULTS: results, NO_COLOR: '1' };
  const child = spawn('bash', ['scripts/test'], { env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const left = await untilEnded(child, signal);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const reports = suites.map((suite) => readReport(join(results, `${suite}.json`)));
  const output = readFileSync(logFile, 'utf8');
  const failures = [
    ...reports.flatMap((report, index) => report?.testResults.flatMap(failuresOf) ?? [`no report of ${suites[index]}`]),
    ...[...output.matchAll(outside)].map(([, kind, error]) => `${kind}: ${error}`),
    ...left.map((command) => `left running: ${command}`),
  ];
  if (failures.length === 0 && child.exitCode !== 0) failures.push(`exit code ${child.exitCode}: see ${name}.log`);
  const sum = (of: (report: Report) => number): number =>
    reports.reduce((total, report) => total + (report === undefined ? 0 : of(report)), 0);
  return {
    load,
    passed: sum(({ numPassedTests }) => numPassedTests),
    failed: sum(({ numFailedTests }) => numFailedTests),
    seconds,
    failures,
  };
}

/** Resolves with the command lines of processes that outlive the tests; these are killed. */
async function untilEnded(child: ChildProcess, signal: AbortSignal): Promise<readonly string[]> {
  const { pid = -1 } = child;
  const ended = once(child, 'exit').then(() => true);
  // Services have their own process groups and outlive a killed test, so they are remembered.
  const seen = new Map<number, string | undefined>();
  const isAlive = ([process, identity]: readonly [number, string | undefined]): boolean =>
    identity !== undefined && processIdentity(process) === identity;
  const interrupt = (): void => void signalProcess(-pid, 'SIGINT');
  if (signal.aborted) interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  let giveUpAt = Number.POSITIVE_INFINITY;
  while (!(await Promise.race([ended, delay(lookEveryMs, false)]))) {
    for (const each of descendants(pid)) if (!seen.has(each)) seen.set(each, processIdentity(each));
    if (signal.aborted) giveUpAt = Math.min(giveUpAt, performance.now() + endingMs);
    if (performance.now() > giveUpAt) signalProcess(-pid, 'SIGKILL');
  }
  signal.removeEventListener('abort', interrupt);
  const deadline = performance.now() + (signal.aborted ? 0 : endingMs);
  while ([...seen].some(isAlive) && performance.now() < deadline) await delay(100);
  return [...seen].filter(isAlive).map(([process]) => {
    const command = readCommandLine(process).trim();
    signalProcess(process, 'SIGKILL');
    return command;
  });
}

function readReport(file: string): Report | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
}

function failuresOf({ name, status, assertionResults }: Report['testResults'][number]): readonly string[] {
  const file = name.slice(process.cwd().length + 1);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [file];
  return failed.map(({ fullName }) => `${file} > ${fullName}`);
}
