import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How long one turn lasts: until the time is over, with at least so many documents, on so many lanes at a time. */
export interface Turn {
  readonly forMs: number;
  readonly atLeast: number;
  readonly lanes: number;
}

/** What one turn of a side came to. */
export interface Sample {
  readonly documents: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** Processor time of the side's own process, all of its threads, in seconds. */
  readonly ownProcessorSeconds: number;
  /** Bytes of the last document. */
  readonly sizeBytes: number;
}

/** A side of a comparison in a process of its own. */
export interface SideProcess {
  run(turn: Turn): Promise<Sample>;
  close(): Promise<void>;
}

type Answer = { readonly sample: Sample } | { readonly error: string } | { readonly ready: true };

/** Starts a module that calls `serveSide`, and gives it what it needs to make its documents. */
export async function startSide(module: URL, setup: unknown): Promise<SideProcess> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = fork(fileURLToPath(module), [], {
    execArgv: ['--import', loader],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await ask(child, { setup });
  return {
    async run(turn) {
      const answer = await ask(child, { turn });
      if (!('sample' in answer)) throw new Error('a side answered without a sample');
      return answer.sample;
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const hasEnded = once(child, 'exit');
      child.disconnect();
      await hasEnded;
    },
  };
}

async function ask(child: ChildProcess, message: object): Promise<Answer> {
  const answered = new Promise<Answer>((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a side ended with exit code ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as Answer);
    });
  });
  child.send(message);
  const answer = await answered;
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
