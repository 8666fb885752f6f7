import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ProcessAnswer, ProcessJob, ProcessSettings } from './protocol.ts';

export interface ProcessOptions extends ProcessSettings {
  readonly heapMb: number;
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

const youngGenerationMb = 64;

/** One process that opens documents. After `kill` it reports nothing more. */
export class DocxProcess {
  readonly #child: ChildProcess;
  #isKilled = false;
  #isDead = false;

  constructor(options: ProcessOptions, events: ProcessEvents) {
    this.#child = start(options);
    if (options.niceness !== undefined) giveWay(this.#child, options.niceness);
    this.#child.on('message', (message) => {
      if (this.#isKilled) return;
      const answer = message as ProcessAnswer;
      if (answer.kind === 'ready') events.onReady();
      else events.onAnswer(answer);
    });
    const die = (death: ProcessDeath, error: Error): void => {
      if (this.#isKilled || this.#isDead) return;
      this.#isDead = true;
      events.onDeath(death, error);
    };
    this.#child.on('error', (error) => die('crash', error));
    // V8 aborts when its heap is full, whatever the code does.
    this.#child.on('exit', (code, signal) =>
      die(signal === 'SIGABRT' || code === 134 ? 'heap' : 'crash', new Error(`the process ended: ${signal ?? code}`)),
    );
  }

  post(job: ProcessJob): void {
    this.#child.send(job);
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    const { exitCode, signalCode, pid } = this.#child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const hasEnded = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await hasEnded;
  }
}

function start({ heapMb, templateCacheBytes }: ProcessOptions): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(`./docx-process-main.${isSource ? 'ts' : 'js'}`, import.meta.url));
  return fork(entry, [JSON.stringify({ templateCacheBytes } satisfies ProcessSettings)], {
    serialization: 'advanced',
    env: {},
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      `--max-semi-space-size=${youngGenerationMb / 4}`,
      ...(isSource ? ['--import', sourceLoader()] : []),
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
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
