import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');

export interface AdminRun {
  /** Null after a signal. */
  readonly code: number | null;
  readonly out: Record<string, unknown>;
  readonly problem: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  readonly done: Promise<AdminRun>;
  /** Waits until the command has written the text to its standard error. */
  sees(text: string): Promise<void>;
}

/** Starts `engine-check` as an operator does, in a process group of its own, as a terminal does. */
export function startEngineCheck(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
  const command = ['--import', 'tsx', 'src/admin/main.ts', 'engine-check', ...args, '--json'];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
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

/** Runs `engine-check` to its end. */
export function engineCheck(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<AdminRun> {
  return startEngineCheck(args, env).done;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
