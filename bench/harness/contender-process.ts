import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** One timed run. It lasts at least `forMs` and `minDocuments`, with `concurrency` documents at a time. */
export interface RunPlan {
  readonly forMs: number;
  readonly minDocuments: number;
  readonly concurrency: number;
}

/** The result of one run of a contender. */
export interface Sample {
  readonly documents: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** Processor time of the contender's process, over all threads, in seconds. */
  readonly ownProcessorSeconds: number;
  /** The size of the last document. */
  readonly sizeBytes: number;
}

/** A contender that runs in a separate process. */
export interface ContenderProcess {
  run(plan: RunPlan): Promise<Sample>;
  close(): Promise<void>;
}

type Reply = { readonly sample: Sample } | { readonly error: string } | { readonly ready: true };

/** Starts a module that calls `serveContender` and passes it its setup. */
export async function startContender(module: URL, setup: unknown): Promise<ContenderProcess> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = fork(fileURLToPath(module), [], {
    execArgv: ['--import', loader],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await ask(child, { setup });
  return {
    async run(plan) {
      const reply = await ask(child, { plan });
      if (!('sample' in reply)) throw new Error('a contender replied without a sample');
      return reply.sample;
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

async function ask(child: ChildProcess, message: object): Promise<Reply> {
  const replied = new Promise<Reply>((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a contender exited with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (reply) => {
      child.off('exit', onExit);
      resolve(reply as Reply);
    });
  });
  child.send(message);
  const reply = await replied;
  if ('error' in reply) throw new Error(reply.error);
  return reply;
}
