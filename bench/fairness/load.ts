import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ScenarioName } from './scenarios.ts';

export interface LoadSetup {
  readonly url: string;
  readonly apiKey: string;
  readonly scenario: ScenarioName;
  /** The scenario's templates in order. */
  readonly templateIds: readonly string[];
}

export type LoadCommand =
  | { readonly kind: 'prepare'; readonly setup: LoadSetup }
  | { readonly kind: 'start'; readonly parallel: number }
  | { readonly kind: 'stop' };

export interface LoadReport {
  /** Requests per second of a flood; 0 for a fixed number of callers. */
  readonly perSecond: number;
  /**
   * The number of responses by status. `none` is a broken connection, and `unsent` a request that found no free
   * connection.
   */
  readonly statuses: Readonly<Record<string, number>>;
  /** Processor time of the load process as a share of one core. */
  readonly processorShare: number;
}

/** The load of the busy account, in a separate process. */
export interface Load {
  /** Keeps `parallel` requests in flight; a flood has its own rate. */
  start(parallel: number): Promise<void>;
  /** Disconnects immediately, without waiting for responses. */
  stop(): Promise<LoadReport>;
}

export async function prepareLoad(setup: LoadSetup): Promise<Load> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)), [], {
    execArgv: ['--import', loader],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await ask(child, { kind: 'prepare', setup });
  return {
    async start(parallel) {
      await ask(child, { kind: 'start', parallel });
    },
    stop: () => ask(child, { kind: 'stop' }),
  };
}

function ask(child: ChildProcess, command: LoadCommand): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the load process exited with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (reply: LoadReport | { readonly error: string }) => {
      child.off('exit', onExit);
      if ('error' in reply) reject(new Error(reply.error));
      else resolve(reply);
    });
    child.send(command);
  });
}
