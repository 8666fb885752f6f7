import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const register = new URL('../failpoints/register.mjs', import.meta.url).href;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServiceSpec {
  readonly name: string;
  readonly kind: 'api' | 'worker';
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly port: number;
  readonly operationsPort: number;
  /** A program that runs the given command line, for example after mounting a small disk. */
  readonly wrapper?: readonly string[] | undefined;
  /** A checkout of another release, with its build. */
  readonly release?: string | undefined;
  /** A folder of `buildWithFailpoints`. */
  readonly failpoints?: string | undefined;
}

/** One API or worker of the production build, or of one with failpoints. */
export class ServiceProcess {
  readonly spec: ServiceSpec;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  /** Set when the row stops the process or announces its exit. */
  isExpectedToEnd = false;

  constructor(spec: ServiceSpec) {
    this.spec = spec;
    const log = openSync(spec.logFile, 'a', 0o600);
    const folder = spec.failpoints ?? spec.release ?? projectFolder;
    const imports = spec.failpoints === undefined ? [] : ['--import', register];
    const start = [`${folder}/scripts/start`, spec.kind, ...imports];
    const [command = '', ...args] = [...(spec.wrapper ?? []), ...start];
    this.#child = spawn(command, args, {
      cwd: folder,
      env: { ...spec.env, NODE: process.execPath, PORT: String(spec.port), METRICS_PORT: String(spec.operationsPort) },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    this.pid = this.#child.pid ?? -1;
    this.exited = new Promise((resolve) => this.#child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  get url(): string {
    return `http://127.0.0.1:${this.spec.port}`;
  }

  get exit(): Exit | undefined {
    const { exitCode: code, signalCode: signal } = this.#child;
    return code === null && signal === null ? undefined : { code, signal };
  }

  get hasCrashed(): boolean {
    return this.exit !== undefined && !this.isExpectedToEnd && this.exit.signal !== 'SIGKILL';
  }

  async ready(timeoutMs = 150_000): Promise<this> {
    await until(
      `${this.spec.name} becoming ready`,
      async () => {
        if (this.exit !== undefined) return true;
        return (await this.readiness()).status === 200;
      },
      timeoutMs,
      50,
    );
    if (this.exit !== undefined) throw new Error(`${this.spec.name} ended: ${this.log().slice(-2_000)}`);
    return this;
  }

  async readiness(): Promise<{ readonly status: number; readonly body: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.spec.operationsPort}/readyz`, {
      signal: AbortSignal.timeout(5_000),
    });
    return { status: answer.status, body: await answer.text() };
  }

  signal(signal: NodeJS.Signals): void {
    if (signal === 'SIGTERM' || signal === 'SIGKILL') this.isExpectedToEnd = true;
    if (this.exit === undefined) process.kill(this.pid, signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }

  /** Stops the process; undefined when it did not exit in time and was killed. */
  async stop(timeoutMs = 120_000): Promise<Exit | undefined> {
    this.signal('SIGTERM');
    this.signal('SIGCONT');
    const timer = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs, undefined).unref());
    const exit = await Promise.race([this.exited, timer]);
    if (exit === undefined) await this.kill();
    return exit;
  }

  log(): string {
    return readFileSync(this.spec.logFile, 'utf8');
  }
}
