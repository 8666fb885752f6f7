import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { FrameReader } from './frame.ts';
import { type FramePipes, framePipesOf, sendFrame } from './frame-pipes.ts';
import { frameToMessage, messageToPieces } from './message-frame.ts';
import type { Slot } from './slot-supervisor.ts';
import { type ProgramOptions, startProgram } from './start-program.ts';

export interface ProcessSlotOptions<Answer> extends ProgramOptions {
  /**
   * The process is killed above this resident memory, because the heap limit does not cover streams and WebAssembly.
   * Default: only the heap is limited.
   */
  readonly memoryLimitBytes?: number | undefined;
  readonly timeLimitMs: number;
  /** Validates an answer, because the process has read a file that may be hostile. Undefined if invalid. */
  readonly readAnswer: (message: unknown) => Answer | undefined;
}

/**
 * Why a process did not serve a request. `time`, `memory` and `heap`: it reached that limit; `broken`: its program threw
 * an error or sent an invalid message; `ended`: it exited; `interrupted`: a signal for the whole service met it before
 * it could ignore it, so before it began; `unstarted`: the system could not start it; `killed`: it was destroyed meanwhile.
 */
type Loss = 'time' | 'memory' | 'heap' | 'broken' | 'ended' | 'interrupted' | 'unstarted' | 'killed';

/** Thrown for a request that a process did not serve. The process has ended. */
export class ProcessLost extends Error {
  readonly loss: Loss;

  constructor(loss: Loss, message: string) {
    super(message);
    this.loss = loss;
  }
}

interface Waiting {
  readonly resolve: (message: unknown) => void;
  readonly reject: (lost: ProcessLost) => void;
}

/** Larger than any answer. */
const maxAnswerBytes = 2 ** 30;
const memoryPollMs = 100;
/** A service that stops gets one or two signals. */
const maxStarts = 3;
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
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Starts a process for one request, within the time limit. It has ended when the promise settles. */
export async function askOnce<Request extends object, Answer>(
  options: ProcessSlotOptions<Answer>,
  request: Request,
): Promise<Answer> {
  for (let starts = 1; ; starts++) {
    const slot = new ProcessSlot<Request, Answer>(options);
    try {
      return await slot.ask(request);
    } catch (error) {
      const isInterrupted = error instanceof ProcessLost && error.loss === 'interrupted';
      if (!isInterrupted || starts === maxStarts) throw error;
    } finally {
      await slot.destroy();
    }
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
  #hasExited = false;
  #lost: ProcessLost | undefined;
  #waiting: Waiting | undefined;
  #reportReady: (() => void) | undefined;

  constructor(options: ProcessSlotOptions<Answer>) {
    this.#options = options;
    this.#child = startProgram(options);
    this.#pipes = framePipesOf(this.#child);
    this.ended = new Promise((resolve) => {
      const end = (lost: ProcessLost): void => {
        this.#lose(lost);
        resolve(lost.message);
      };
      this.#child.on('error', (error) => end(new ProcessLost('unstarted', error.message)));
      this.#child.on('exit', (code, signal) => {
        this.#hasExited = true;
        if (this.#lost !== undefined) end(toLost(code, signal));
      });
      // Emitted after all its output has been read: it may exit right after its answer.
      this.#child.on('close', (code, signal) => end(toLost(code, signal)));
    });
    this.ready = new Promise((resolve, reject) => {
      this.#reportReady = resolve;
      void this.ended.then((reason) => reject(new Error(`the process did not become ready: ${reason}`)));
    });
    // A caller that sends its request at once does not wait for this.
    this.ready.catch(() => undefined);
    this.#pipes?.answers.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  get isGone(): boolean {
    return this.#hasExited || this.#lost !== undefined;
  }

  /** Rejects with `ProcessLost` at a limit, after which the process has ended. */
  async ask(request: Request, timeLimitMs: number = this.#options.timeLimitMs): Promise<Answer> {
    try {
      const message = await this.#exchange(request, timeLimitMs);
      const answer = this.#options.readAnswer(message);
      if (answer !== undefined) return answer;
      throw new ProcessLost('broken', stackOf(message) ?? 'an answer that cannot be read');
    } catch (error) {
      if (error instanceof ProcessLost) await this.destroy();
      throw error;
    }
  }

  async destroy(): Promise<void> {
    this.#lose(new ProcessLost('killed', 'the process was killed'));
    const { exitCode, signalCode, pid } = this.#child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const hasEnded = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await hasEnded;
  }

  async #exchange(request: Request, timeLimitMs: number): Promise<unknown> {
    const pieces = messageToPieces(request);
    const onDeadline = (): void =>
      this.#lose(new ProcessLost('time', `the process needed more than ${timeLimitMs} ms`));
    const deadline = setTimeout(onDeadline, timeLimitMs);
    const watch = this.#watchMemory();
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
        if (this.#lost !== undefined) reject(this.#lost);
        else if (this.#pipes !== undefined) sendFrame(this.#pipes.requests, pieces);
      });
    } finally {
      clearTimeout(deadline);
      clearInterval(watch);
      this.#waiting = undefined;
    }
  }

  #read(chunk: Buffer): void {
    if (this.#lost !== undefined) return;
    try {
      for (const frame of this.#reader.push(chunk)) this.#receive(frameToMessage(frame));
    } catch {
      this.#lose(new ProcessLost('broken', 'an answer that cannot be read'));
      void this.destroy();
    }
  }

  #receive(message: Readonly<Record<string, unknown>>): void {
    if (this.#reportReady === undefined) {
      this.#waiting?.resolve(message);
      return;
    }
    if (message.kind !== 'ready') throw new Error('the first message of a process is not that it is ready');
    this.#reportReady();
    this.#reportReady = undefined;
  }

  /** The first loss is the reason why no request is served any more. */
  #lose(lost: ProcessLost): void {
    this.#lost ??= lost;
    this.#waiting?.reject(this.#lost);
  }

  #watchMemory(): NodeJS.Timeout | undefined {
    const { memoryLimitBytes } = this.#options;
    if (memoryLimitBytes === undefined) return undefined;
    const check = async (): Promise<void> => {
      // The request may have ended meanwhile.
      if ((await this.#residentBytes()) <= memoryLimitBytes || this.#waiting === undefined) return;
      this.#lose(new ProcessLost('memory', `the process needed more than ${memoryLimitBytes} bytes`));
    };
    return setInterval(() => void check(), memoryPollMs);
  }

  /** Zero on systems other than Linux, which have no /proc. */
  async #residentBytes(): Promise<number> {
    const text = await readFile(`/proc/${this.#child.pid}/statm`, 'latin1').catch(() => '');
    return Number(text.split(' ')[1] ?? 0) * pageBytes;
  }
}

function toLost(code: number | null, signal: NodeJS.Signals | null): ProcessLost {
  return new ProcessLost(toLoss(code, signal), `the process ended: ${signal ?? code}`);
}

function toLoss(code: number | null, signal: NodeJS.Signals | null): Loss {
  // V8 aborts when its heap is full.
  if (signal === 'SIGABRT' || code === 134) return 'heap';
  // `serveRequests` ignores both.
  return signal === 'SIGTERM' || signal === 'SIGINT' ? 'interrupted' : 'ended';
}

/** The stack that a program sends instead of an answer when it has thrown an error. */
function stackOf(message: unknown): string | undefined {
  const { kind, stack } = message as { readonly kind?: unknown; readonly stack?: unknown };
  return kind === 'broken' && typeof stack === 'string' ? stack : undefined;
}
