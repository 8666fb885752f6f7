import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FrameReader } from './frame.ts';
import { frameToAnswer, jobToPieces } from './message-frames.ts';
import { answersFd, jobsFd, type ProcessAnswer, type ProcessJob, type ProcessSettings } from './protocol.ts';

export interface ProcessOptions extends ProcessSettings {
  readonly heapMb: number;
  /** The program it runs, if not the one beside this file. */
  readonly entry?: string | undefined;
  /** Gives way to other processes, 0 to 19 as `nice` counts. */
  readonly niceness?: number | undefined;
}

/** Why a process ended while it was needed. */
export type ProcessDeath = 'heap' | 'crash';

export interface ProcessEvents {
  readonly onReady: () => void;
  readonly onAnswer: (answer: ProcessAnswer) => void;
  readonly onDeath: (death: ProcessDeath, error: Error) => void;
}

/** Half of it costs documents of 10,000 rows a tenth more time; twice as much gains nothing. */
const semiSpaceMb = 8;
/** More than any job makes. */
const longestAnswerBytes = 2 ** 30;
/** Up to this size a job is copied together and goes out in one piece. */
const smallBytes = 64 * 1024;

const isSource = import.meta.url.endsWith('.ts');
const ownEntry = fileURLToPath(new URL(`./docx-process-main.${isSource ? 'ts' : 'js'}`, import.meta.url));

/** One process that opens documents. After `kill` it reports nothing more. */
export class DocxProcess {
  readonly #child: ChildProcess;
  readonly #jobs: Writable | undefined;
  readonly #reader = new FrameReader({ maxBytes: longestAnswerBytes, keepsChunks: true });
  #isKilled = false;
  #isDead = false;

  constructor(options: ProcessOptions, events: ProcessEvents) {
    this.#child = start(options);
    if (options.niceness !== undefined) giveWay(this.#child, options.niceness);
    const { jobs, answers } = pipesOf(this.#child);
    this.#jobs = jobs;
    answers?.on('data', (chunk: Buffer) => {
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
    // V8 aborts when its heap is full, whatever the code does. What it answered before is read first.
    this.#child.on('close', (code, signal) =>
      die(signal === 'SIGABRT' || code === 134 ? 'heap' : 'crash', new Error(`the process ended: ${signal ?? code}`)),
    );
  }

  post(job: ProcessJob): void {
    const pieces = jobToPieces(job);
    const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (size <= smallBytes) {
      this.#jobs?.write(Buffer.concat(pieces, size));
      return;
    }
    this.#jobs?.cork();
    for (const piece of pieces) this.#jobs?.write(piece);
    this.#jobs?.uncork();
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

function start({ heapMb, templateCacheBytes, entry = ownEntry }: ProcessOptions): ChildProcess {
  const flags = [
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${semiSpaceMb}`,
    // There are as many processes as cores: threads that collect beside them only take turns with them.
    '--single-threaded-gc',
    ...(isSource ? ['--import', sourceLoader()] : []),
  ];
  const settings = JSON.stringify({ templateCacheBytes } satisfies ProcessSettings);
  return spawn(process.execPath, [...flags, entry, settings], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
}

interface Pipes {
  readonly jobs?: Writable;
  readonly answers?: Readable;
}

/** Neither where the process could not be started for want of file descriptors; its error follows. */
function pipesOf({ stdio }: { readonly stdio?: readonly unknown[] }): Pipes {
  const [jobs, answers] = [stdio?.[jobsFd], stdio?.[answersFd]];
  if (!(jobs instanceof Writable) || !(answers instanceof Readable)) return {};
  // The end of the process tells.
  for (const pipe of [jobs, answers]) pipe.on('error', () => undefined);
  return { jobs, answers };
}

function giveWay({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // Gone already: its exit tells.
  }
}

/** Run from source, by tests and in development, a process needs the loader of its parent. */
function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
