import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Report } from '../report.ts';
import { signalProcess } from './process-identity.ts';

export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly logFile: string;
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  readonly graceMs: number;
  /** Lower ranks are stopped first; equal ranks together. */
  readonly stopRank: number;
}

const firstBackOffMs = 200;
const longestBackOffMs = 10_000;
const soundLifeMs = 30_000;

/** One long-lived child in a process group of its own. Once `supervise` was called it is started again when it dies. */
export class ManagedProcess {
  readonly spec: ProcessSpec;
  readonly #report: Report;
  readonly #changed: () => void;
  #child: ChildProcess;
  #startedAtMs = 0;
  #backOffMs = firstBackOffMs;
  #isSupervised = false;
  readonly #stopping = new AbortController();

  constructor(spec: ProcessSpec, report: Report, changed: () => void) {
    this.spec = spec;
    this.#report = report;
    this.#changed = changed;
    this.#child = this.#spawn();
  }

  /** Undefined between two lives. */
  get pid(): number | undefined {
    return this.#hasLeft() ? undefined : this.#child.pid;
  }

  /** Rejects with the last lines of the log when the present life ends. */
  async untilItLeaves(): Promise<never> {
    if (!this.#hasLeft()) await once(this.#child, 'exit');
    throw new Error(`${this.spec.name} ended (${this.#ending()}); the end of ${this.spec.logFile}:\n${this.logTail()}`);
  }

  supervise(): void {
    this.#isSupervised = true;
    if (this.#hasLeft()) this.#onExit();
  }

  logTail(lines = 15): string {
    return readFileSync(this.spec.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }

  /** Asks with the stop signal, waits for the grace, then kills the whole group. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { pid } = this;
    if (pid === undefined) return;
    const left = once(this.#child, 'exit');
    signalProcess(pid, this.spec.stopSignal);
    signalProcess(pid, 'SIGCONT');
    const isLate = await Promise.race([left.then(() => false), delay(this.spec.graceMs, true, { ref: false })]);
    if (!isLate) return;
    this.#report(`${this.spec.name} did not stop within ${this.spec.graceMs} ms: killed`);
    this.kill();
    await left;
  }

  /** For a stop that shall not wait any longer. */
  kill(): void {
    const { pid } = this;
    if (pid !== undefined) signalProcess(-pid, 'SIGKILL');
  }

  #spawn(): ChildProcess {
    const log = openSync(this.spec.logFile, 'a', 0o600);
    const child = spawn(this.spec.command, this.spec.args, {
      env: this.spec.env,
      stdio: ['ignore', log, log],
      detached: true,
      ...(this.spec.cwd === undefined ? {} : { cwd: this.spec.cwd }),
      ...this.spec.owner,
    });
    closeSync(log);
    this.#startedAtMs = performance.now();
    child.once('error', (error) => this.#report(`${this.spec.name}: ${error.message}`));
    child.once('exit', () => this.#onExit());
    return child;
  }

  #onExit(): void {
    this.#changed();
    if (!this.#isSupervised || this.#stopping.signal.aborted) return;
    if (performance.now() - this.#startedAtMs > soundLifeMs) this.#backOffMs = firstBackOffMs;
    this.#report(`${this.spec.name} ended by itself (${this.#ending()}): starting it again in ${this.#backOffMs} ms`);
    void this.#startAgain(this.#backOffMs);
    this.#backOffMs = Math.min(this.#backOffMs * 2, longestBackOffMs);
  }

  async #startAgain(afterMs: number): Promise<void> {
    await delay(afterMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    this.#child = this.#spawn();
    this.#changed();
  }

  #hasLeft(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #ending(): string {
    return this.#child.signalCode ?? `exit code ${this.#child.exitCode ?? 'unknown'}`;
  }
}
