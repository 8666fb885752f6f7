import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { commands } from '../../../src/admin/commands.ts';
import { type AdminDeps, parseCommand } from '../../../src/admin/parse-command.ts';
import { runCommand } from '../../../src/admin/run-command.ts';
import type { StorageConfig } from '../../../src/shared/config/load-config.ts';
import type { Operator } from '../../../src/shared/domain/audit/record-act.ts';
import { ensureProgramsBuilt } from '../../../tools/local/build.ts';
import { captureLine } from '../../support/client/capture-line.ts';
import { fontVariables } from '../../support/fonts.ts';

const root = join(import.meta.dirname, '../../..');
// Runs the production build, which starts in half of the time that sources take.
await ensureProgramsBuilt(root);

export interface AdminRun {
  /** Null after a signal. */
  readonly code: number | null;
  /** The object that the command printed; empty when it printed none. */
  readonly out: Readonly<Record<string, unknown>>;
  readonly problem: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  readonly done: Promise<AdminRun>;
  /** Waits until the command has written the text to its standard error. */
  sees(text: string): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Limits that no command reaches on a busy machine. */
const patience = { DATABASE_TIMEOUT_MS: '60000', OFFICE_START_TIMEOUT_MS: '240000' };

/**
 * Starts a command of the operator with this environment instead of that of the tests, in a process group of its own, as
 * a terminal does.
 */
export function startAdmin(line: readonly string[], env: Env = {}): RunningCommand {
  const child = spawn(process.execPath, ['dist/admin/main.js', ...line, '--json'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...fontVariables, ...patience, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGKILL');
  });
  let [out, problem] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text;
  });
  const done = new Promise<AdminRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out: out === '' ? {} : JSON.parse(out), problem }));
  });
  return {
    process: child,
    done,
    sees: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (problem.includes(text)) resolve();
        };
        child.stderr.on('data', check);
        child.once('close', () => reject(new Error(`the command ended without "${text}": ${problem}`)));
        check();
      }),
  };
}

/** Runs the program of a command to its end, for commands that measure their own process. */
export function runProgram(line: readonly string[], env: Env = {}): Promise<AdminRun> {
  return startAdmin(line, env).done;
}

/** Runs a command of the operator to its end, in this process, with this environment instead of that of the tests. */
export async function runAdmin(line: readonly string[], env: Env = {}): Promise<AdminRun> {
  const { code, out, problem } = await withEnvironment({ ...patience, ...env }, () => captureLine([...line, '--json']));
  return { code, out: out === '' ? {} : JSON.parse(out), problem };
}

/** Runs commands of the operator on a database in this process; resolves with what they return. */
export function adminOn({ db, url }: Pick<AdminDeps, 'db'> & { readonly url: string }, operator?: Operator) {
  return async <T>(...line: readonly string[]): Promise<T> =>
    (await runCommand({ db, databaseUrl: url }, parseCommand(commands, line), operator)) as T;
}

let outside = process.env;
let running = 0;

/**
 * Does the work with this environment alone, as a process of its own would. Concurrent work of this process gets the
 * same environment.
 */
export async function withEnvironment<T>(env: Env, work: () => Promise<T>): Promise<T> {
  if (running === 0) outside = process.env;
  running += 1;
  process.env = { PATH: outside.PATH, ...env };
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) process.env = outside;
  }
}

/** The variables with which a command finds the store of these dependencies. */
export function storageVariables(config: StorageConfig) {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  return { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
