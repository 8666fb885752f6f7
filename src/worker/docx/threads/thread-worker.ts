import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ThreadAnswer, ThreadJob, ThreadSettings } from './protocol.ts';

export interface ThreadOptions extends ThreadSettings {
  readonly heapMb: number;
}

/** Why a thread ended while it was needed. */
export type ThreadDeath = 'heap' | 'crash';

export interface ThreadEvents {
  readonly onReady: () => void;
  readonly onAnswer: (answer: ThreadAnswer) => void;
  readonly onDeath: (death: ThreadDeath, error: Error) => void;
}

const youngGenerationMb = 64;

/** One worker thread. After `kill` it reports nothing more. */
export class ThreadWorker {
  readonly #worker: Worker;
  #isKilled = false;
  #isDead = false;

  constructor(options: ThreadOptions, events: ThreadEvents) {
    this.#worker = startWorker(options);
    this.#worker.on('message', (answer: ThreadAnswer) => {
      if (this.#isKilled) return;
      if (answer.kind === 'ready') events.onReady();
      else events.onAnswer(answer);
    });
    const die = (error: Error) => {
      if (this.#isKilled || this.#isDead) return;
      this.#isDead = true;
      const isHeap = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      events.onDeath(isHeap ? 'heap' : 'crash', error);
    };
    this.#worker.on('error', die);
    this.#worker.on('exit', (code) => die(new Error(`the thread ended with code ${code}`)));
  }

  post(job: ThreadJob): void {
    const transfer: ArrayBuffer[] = [];
    const own = (bytes: Uint8Array): Uint8Array => {
      if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
      const copy = new Uint8Array(bytes);
      transfer.push(copy.buffer);
      return copy;
    };
    const message: ThreadJob =
      job.kind === 'inspect'
        ? { ...job, bytes: own(job.bytes) }
        : { ...job, template: job.template && own(job.template), data: own(job.data) };
    this.#worker.postMessage(message, transfer);
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#worker.terminate();
  }
}

function startWorker({ heapMb, templateCacheBytes }: ThreadOptions): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(`./docx-thread.${isSource ? 'ts' : 'js'}`, import.meta.url);
  const worker = new Worker(isSource ? sourceBootstrap(entry) : entry, {
    eval: isSource,
    name: 'docx',
    env: {},
    execArgv: [],
    workerData: { templateCacheBytes } satisfies ThreadSettings,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngGenerationMb },
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

// Run from source, by tests and in development, a thread does not inherit the loader of its parent.
function sourceBootstrap(entry: URL): string {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api')).href.replace(/\.cjs$/, '.mjs');
  return `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}); })`;
}
