import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dieWithParent } from '../../../supervisor/die-with-parent.ts';
import type { Slot } from '../../../supervisor/slot-supervisor.ts';
import type { ConformanceReport } from '../standards.ts';
import {
  type CheckAnswer,
  type CheckRequest,
  type CompleteRequest,
  checkAnswer,
  type ProcessRequest,
} from './messages.ts';

export interface CheckSlotOptions {
  readonly heapMb: number;
  /** Resident memory of the process, above which it is killed: streams are outside of the heap. */
  readonly memoryLimitBytes: number;
  readonly timeLimitMs: number;
}

/** Thrown when the process reached a limit or ended: this file cannot be checked. */
export class CheckLost extends Error {}

const memoryPollMs = 100;
const pageBytes = 4_096;

/** Starts a process and resolves when it accepts requests. */
export async function startCheckSlot(options: CheckSlotOptions, signal: AbortSignal): Promise<CheckSlot> {
  const slot = new CheckSlot(options);
  const onAbort = (): void => void slot.destroy();
  signal.addEventListener('abort', onAbort);
  try {
    await slot.ready;
    signal.throwIfAborted();
    return slot;
  } catch (error) {
    await slot.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** One process that checks one file at a time. */
export class CheckSlot implements Slot {
  readonly ended: Promise<string>;
  readonly ready: Promise<void>;
  readonly wasKilled = true;
  readonly #options: CheckSlotOptions;
  readonly #child: ChildProcess;
  #isGone = false;
  #onAnswer: (answer: CheckAnswer | undefined) => void = () => undefined;

  constructor(options: CheckSlotOptions) {
    this.#options = options;
    this.#child = start(options.heapMb);
    this.ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.#isGone = true;
        this.#onAnswer(undefined);
        resolve(reason);
      };
      this.#child.on('error', (error) => end(error.message));
      this.#child.on('exit', (code, ending) => end(`the process ended: ${ending ?? code}`));
    });
    this.ready = new Promise((resolve, reject) => {
      this.#onAnswer = (answer) =>
        answer?.kind === 'ready' ? resolve() : reject(new Error('the process did not become ready'));
    });
    this.#child.on('message', (message) => {
      const answer = checkAnswer.safeParse(message);
      this.#onAnswer(answer.success ? answer.data : undefined);
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Rejects with `CheckLost` at a limit, after which the process has ended. */
  async check(request: CheckRequest): Promise<ConformanceReport> {
    const answer = await this.#ask(request);
    return answer?.kind === 'report' ? answer.report : this.#lose(answer);
  }

  /** Rejects with `CheckLost` at a limit, after which the process is gone. */
  async complete(request: CompleteRequest): Promise<Uint8Array> {
    const answer = await this.#ask(request);
    return answer?.kind === 'completed' ? answer.bytes : this.#lose(answer);
  }

  #ask(request: ProcessRequest): Promise<CheckAnswer | undefined> {
    return new Promise<CheckAnswer | undefined>((resolve) => {
      const finish = (value: CheckAnswer | undefined): void => {
        clearTimeout(deadline);
        clearInterval(watch);
        this.#onAnswer = () => undefined;
        resolve(value);
      };
      const deadline = setTimeout(() => finish(undefined), this.#options.timeLimitMs);
      const watch = setInterval(
        () => void this.#exceedsMemory().then((isOver) => isOver && finish(undefined)),
        memoryPollMs,
      );
      this.#onAnswer = finish;
      if (this.#isGone) finish(undefined);
      else this.#child.send(request, (error) => error !== null && finish(undefined));
    });
  }

  async #lose(answer: CheckAnswer | undefined): Promise<never> {
    await this.destroy();
    throw new CheckLost(answer?.kind === 'broken' ? answer.stack : 'the process exceeded a limit of time or memory');
  }

  async destroy(): Promise<void> {
    this.#isGone = true;
    const { exitCode, signalCode, pid } = this.#child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const hasEnded = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await hasEnded;
  }

  /** False outside of Linux, where there is no /proc. */
  async #exceedsMemory(): Promise<boolean> {
    try {
      const fields = (await readFile(`/proc/${this.#child.pid}/statm`, 'latin1')).split(' ');
      return Number(fields[1]) * pageBytes > this.#options.memoryLimitBytes;
    } catch {
      return false;
    }
  }
}

function start(heapMb: number): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(`./check-process-main.${isSource ? 'ts' : 'js'}`, import.meta.url));
  const flags = [
    `--max-old-space-size=${heapMb}`,
    '--single-threaded-gc',
    ...(isSource ? ['--import', sourceLoader()] : []),
  ];
  const { file, args } = dieWithParent({ file: process.execPath, args: [...flags, entry] });
  return spawn(file, args, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' });
}

/** In tests and development the process runs from source and needs its parent's loader. */
function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
