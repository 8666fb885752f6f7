import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { dieWithParent } from '../../supervisor/die-with-parent.ts';
import { FrameReader } from '../../supervisor/frame.ts';
import { framePipes, framePipesOf, sendFrame } from '../../supervisor/frame-pipes.ts';
import { frameToAnswer, jobToPieces } from './message-frames.ts';
import type { ProcessAnswer, ProcessJob, ProcessSettings } from './protocol.ts';

export interface ProcessOptions extends ProcessSettings {
  readonly heapMb: number;
  /** Program to run instead of docx-process-main. */
  readonly entry?: string | undefined;
  /** Niceness, 0 to 19. */
  readonly niceness?: number | undefined;
}

/** Why a process ended unexpectedly. */
export type ProcessDeath = 'heap' | 'crash';

export interface ProcessEvents {
  readonly onReady: () => void;
  readonly onAnswer: (answer: ProcessAnswer) => void;
  readonly onDeath: (death: ProcessDeath, error: Error) => void;
}

/** Measured: half of this makes documents of 10,000 rows 10 % slower; twice as much gains nothing. */
const semiSpaceMb = 8;
/** Larger than the result of any job. */
const maxAnswerBytes = 2 ** 30;

const ownEntry = resolveEntry('./docx-process-main', import.meta.url, 'process');

/** One process that opens documents. Reports no events after `kill`. */
export class DocxProcess {
  readonly #child: ChildProcess;
  readonly #jobs: Writable | undefined;
  readonly #reader = new FrameReader({ maxBytes: maxAnswerBytes, keepsChunks: true });
  #isKilled = false;
  #isDead = false;

  constructor(options: ProcessOptions, events: ProcessEvents) {
    this.#child = start(options);
    if (options.niceness !== undefined) lowerPriority(this.#child, options.niceness);
    const pipes = framePipesOf(this.#child);
    this.#jobs = pipes?.requests;
    pipes?.answers.on('data', (chunk: Buffer) => {
      for (const answer of this.#read(chunk)) {
        if (this.#isKilled) return;
        if (answer.kind === 'ready') events.onReady();
        else events.onAnswer(answer);
      }
    });
    const die = (death: ProcessDeath, error: Error): void => {
      if (this.#isKilled || this.#isDead) return;
      this.#isDead = true;
      events.onDeath(death, error);
    };
    this.#child.on('error', (error) => die('crash', error));
    // V8 aborts when its heap is full. 'close' is emitted after all its output has been read.
    this.#child.on('close', (code, signal) =>
      die(signal === 'SIGABRT' || code === 134 ? 'heap' : 'crash', new Error(`the process ended: ${signal ?? code}`)),
    );
  }

  post(job: ProcessJob): void {
    if (this.#jobs !== undefined) sendFrame(this.#jobs, jobToPieces(job));
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    const { exitCode, signalCode, pid } = this.#child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const hasEnded = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await hasEnded;
  }

  #read(chunk: Buffer): ProcessAnswer[] {
    try {
      return this.#reader.push(chunk).map(frameToAnswer);
    } catch (error) {
      return [{ kind: 'broken', stack: `an answer that cannot be read: ${error}` }];
    }
  }
}

function start({ heapMb, templateCacheBytes, entry = ownEntry.file }: ProcessOptions): ChildProcess {
  const flags = [
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${semiSpaceMb}`,
    // There is one process per core, so more threads would only compete.
    '--single-threaded-gc',
    ...ownEntry.execArgv,
  ];
  const settings = JSON.stringify({ templateCacheBytes } satisfies ProcessSettings);
  const { file, args } = dieWithParent({ file: process.execPath, args: [...flags, entry, settings] });
  return spawn(file, args, { env: {}, stdio: [...framePipes] });
}

function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // The process has ended already; its exit is reported.
  }
}
