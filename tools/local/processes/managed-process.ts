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
  /** Lower ranks stop first. Processes of the same rank stop together. */
  readonly stopRank: number;
}

const firstBackOffMs = 200;
const longestBackOffMs = 10_000;
const stableAfterMs = 30_000;

/** A long-running child in a separate process group. After `supervise` it is restarted whenever it exits. */
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

  /** The process id, or undefined while the process is not running. */
  get pid(): number | undefined {
    return this.#hasExited() ? undefined : this.#child.pid;
  }

  /** Rejects with the last lines of the log when the process exits. */
  async untilExit(): Promise<never> {
    if (!this.#hasExited()) await once(this.#child, 'exit');
    throw new Error(
      `${this.spec.name} exited (${this.#exitReason()}); the end of ${this.spec.logFile}:\n${this.logTail()}`,
    );
  }

  supervise(): void {
    this.#isSupervised = true;
    if (this.#hasExited()) this.#onExit();
  }

  logTail(lines = 15): string {
    return readFileSync(this.spec.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }

  /** Sends the stop signal, waits for the grace period, then kills the process group. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { pid } = this;
    if (pid === undefined) return;
    const exited = once(this.#child, 'exit');
    signalProcess(pid, this.spec.stopSignal);
    signalProcess(pid, 'SIGCONT');
    const isLate = await Promise.race([exited.then(() => false), delay(this.spec.graceMs, true, { ref: false })]);
    if (!isLate) return;
    this.#report(`${this.spec.name} did not stop within ${this.spec.graceMs} ms and was killed`);
    this.kill();
    await exited;
  }

  /** Kills the process group at once. */
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
    if (performance.now() - this.#startedAtMs > stableAfterMs) this.#backOffMs = firstBackOffMs;
    // A process that the operator drained or stopped exits with 0.
    const how = this.#child.exitCode === 0 ? 'has stopped' : `exited unexpectedly (${this.#exitReason()})`;
    this.#report(`${this.spec.name} ${how}: restarting it in ${this.#backOffMs} ms`);
    void this.#restart(this.#backOffMs);
    this.#backOffMs = Math.min(this.#backOffMs * 2, longestBackOffMs);
  }

  async #restart(afterMs: number): Promise<void> {
    await delay(afterMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    this.#child = this.#spawn();
    this.#changed();
  }

  #hasExited(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #exitReason(): string {
    return this.#child.signalCode ?? `exit code ${this.#child.exitCode ?? 'unknown'}`;
  }
}
