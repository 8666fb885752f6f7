import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The line that `npm run local` prints, as its documentation describes it. */
export interface StackLine {
  readonly ready: true;
  readonly url: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly pids: {
    readonly stack: number;
    readonly api: number;
    readonly workers: readonly number[];
    readonly redis: number;
    readonly postgres: number;
    readonly s3: number;
    readonly mail: number;
  };
  readonly env: Readonly<Record<string, string>>;
  readonly mailDir: string;
  readonly metricsUrls: readonly string[];
}

export interface StackExit {
  readonly exitCode: number | null;
  readonly stdout: readonly string[];
  readonly stderr: string;
}

export interface LocalStack {
  readonly process: ChildProcess;
  /** The first line on standard output; rejects when the stack exits without one. */
  readonly ready: Promise<StackLine>;
  readonly ended: Promise<StackExit>;
  /** Standard error so far. */
  readonly stderr: () => string;
  readonly stop: (signal?: NodeJS.Signals) => Promise<StackExit>;
}

/**
 * Limits for a machine that runs several stacks and many test files at once, where everything may take longer than the
 * defaults allow. Processes that a test adds to a stack need them too.
 */
export const patientLimits: Readonly<Record<string, string>> = {
  BATCH_UPLOADS: '64',
  DATABASE_TIMEOUT_MS: '20000',
  OFFICE_START_TIMEOUT_MS: '120000',
  RENDER_TIMEOUT_MS: '60000',
  WAIT_LIMIT_MS: '240000',
};

/** Starts a stack with `npm run local`. `env` is added to the environment of the test. */
export function startLocalStack(env: Readonly<Record<string, string>>): LocalStack {
  const child = spawn('npm', ['run', '--silent', 'local'], {
    env: { ...patientLimits, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: string[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const firstLine = readLines(child.stdout, stdout);
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number | null, stdout, stderr }));
  const ready = Promise.race([
    firstLine,
    ended.then(({ exitCode }) => Promise.reject(new Error(`the stack exited with code ${exitCode}:\n${stderr}`))),
  ]).then((line) => JSON.parse(line) as StackLine);
  ready.catch(() => undefined);
  return {
    process: child,
    ready,
    ended,
    stderr: () => stderr,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return await ended;
    },
  };
}

function readLines(stream: Readable, lines: string[]): Promise<string> {
  return new Promise((resolve) => {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      resolve(line);
    });
  });
}
