import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Entry } from '../../shared/resolve-entry.ts';
import { dieWithParent } from './die-with-parent.ts';
import { FrameReader } from './frame.ts';
import { type FramePipes, framePipes, framePipesOf, sendFrame } from './frame-pipes.ts';
import { frameToMessage, messageToPieces } from './message-frame.ts';
import type { Slot } from './slot-supervisor.ts';

export interface ProcessSlotOptions<Answer> {
  /** The program of the process, which calls `serveRequests`. */
  readonly entry: Entry;
  /** Additional V8 flags. */
  readonly flags?: readonly string[];
  readonly heapMb: number;
  /**
   * The process is killed above this resident memory, because the heap limit does not cover streams and WebAssembly.
   */
  readonly memoryLimitBytes: number;
  readonly timeLimitMs: number;
  /** Validates an answer, because the process has read a file that may be hostile. Undefined if invalid. */
  readonly readAnswer: (message: unknown) => Answer | undefined;
}

/** Thrown when the process reached a limit or ended, and cannot serve this request. */
export class ProcessLost extends Error {}

/** Larger than any answer. */
const maxAnswerBytes = 2 ** 30;
const memoryPollMs = 100;
const pageBytes = 4_096;

/** Starts a process and resolves when it accepts requests. */
export async function startProcessSlot<Request extends object, Answer>(
  options: ProcessSlotOptions<Answer>,
  signal: AbortSignal,
): Promise<ProcessSlot<Request, Answer>> {
  const slot = new ProcessSlot<Request, Answer>(options);
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

/** One process that serves one request at a time. */
export class ProcessSlot<Request extends object, Answer> implements Slot {
  readonly ended: Promise<string>;
  readonly ready: Promise<void>;
  readonly wasKilled = true;
  readonly #options: ProcessSlotOptions<Answer>;
  readonly #child: ChildProcess;
  readonly #pipes: FramePipes | undefined;
  readonly #reader = new FrameReader({ maxBytes: maxAnswerBytes, keepsChunks: true });
  #isGone = false;
  #onMessage: (message: unknown) => void = () => undefined;

  constructor(options: ProcessSlotOptions<Answer>) {
    this.#options = options;
    this.#child = start(options);
    this.#pipes = framePipesOf(this.#child);
    this.ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.#isGone = true;
        this.#onMessage(undefined);
        resolve(reason);
      };
      this.#child.on('error', (error) => end(error.message));
      this.#child.on('exit', (code, ending) => end(`the process ended: ${ending ?? code}`));
    });
    this.ready = new Promise((resolve, reject) => {
      this.#onMessage = (message) =>
        kindOf(message) === 'ready' ? resolve() : reject(new Error('the process did not become ready'));
    });
    this.#pipes?.answers.on('data', (chunk: Buffer) => {
      for (const message of this.#read(chunk)) this.#onMessage(message);
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Rejects with `ProcessLost` at a limit, after which the process has ended. */
  async ask(request: Request): Promise<Answer> {
    const message = await this.#send(request);
    const answer = this.#options.readAnswer(message);
    if (answer !== undefined) return answer;
    await this.destroy();
    throw new ProcessLost(stackOf(message) ?? 'the process exceeded a limit of time or memory');
  }

  async destroy(): Promise<void> {
    this.#isGone = true;
    const { exitCode, signalCode, pid } = this.#child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const hasEnded = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await hasEnded;
  }

  /** Undefined when the process reached a limit or ended. */
  #send(request: Request): Promise<unknown> {
    return new Promise((resolve) => {
      const finish = (message: unknown): void => {
        clearTimeout(deadline);
        clearInterval(watch);
        this.#onMessage = () => undefined;
        resolve(message);
      };
      const deadline = setTimeout(() => finish(undefined), this.#options.timeLimitMs);
      const watch = setInterval(
        () => void this.#exceedsMemory().then((isOver) => isOver && finish(undefined)),
        memoryPollMs,
      );
      this.#onMessage = finish;
      if (this.#isGone || this.#pipes === undefined) finish(undefined);
      else sendFrame(this.#pipes.requests, messageToPieces(request));
    });
  }

  /** Undefined for invalid messages. */
  #read(chunk: Buffer): readonly unknown[] {
    try {
      return this.#reader.push(chunk).map(frameToMessage);
    } catch {
      return [undefined];
    }
  }

  /** False on systems other than Linux, which have no /proc. */
  async #exceedsMemory(): Promise<boolean> {
    try {
      const fields = (await readFile(`/proc/${this.#child.pid}/statm`, 'latin1')).split(' ');
      return Number(fields[1]) * pageBytes > this.#options.memoryLimitBytes;
    } catch {
      return false;
    }
  }
}

function start({ entry, flags = [], heapMb }: ProcessSlotOptions<unknown>): ChildProcess {
  const args = [`--max-old-space-size=${heapMb}`, '--single-threaded-gc', ...flags, ...entry.execArgv, entry.file];
  const program = dieWithParent({ file: process.execPath, args });
  return spawn(program.file, program.args, { env: {}, stdio: [...framePipes] });
}

const kindOf = (message: unknown): unknown => (message as { readonly kind?: unknown } | undefined)?.kind;

function stackOf(message: unknown): string | undefined {
  const { stack } = (kindOf(message) === 'broken' ? message : {}) as { readonly stack?: unknown };
  return typeof stack === 'string' ? stack : undefined;
}
