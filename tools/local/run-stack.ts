import { openFolder } from './backing-services.ts';
import { readOptions } from './options.ts';
import { createReport } from './report.ts';
import { type ReadyStack, startStack } from './start-stack.ts';

export interface RunningStack {
  /** Undefined if the stack was stopped while it was starting. Rejects, with everything stopped, if it cannot start. */
  readonly ready: Promise<ReadyStack | undefined>;
  readonly stop: () => void;
  readonly stopped: Promise<void>;
}

const sameSignalMs = 1_000;

/**
 * Starts the whole service in the folder of `LOCAL_DIR`, with its processes as children of this one. SIGINT, SIGTERM and
 * SIGHUP stop it; so does the exit of npm, if npm started this program.
 */
export async function runStack(env: NodeJS.ProcessEnv, projectFolder: string): Promise<RunningStack> {
  const report = createReport((text) => process.stderr.write(text));
  const options = readOptions(env);
  const folder = await openFolder(options.folder, env, report);
  let hasStopped = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    hasStopped = resolve;
  });
  let stoppedAtMs: number | undefined;
  const stop = (reason: string): void => {
    const nowMs = performance.now();
    if (stoppedAtMs === undefined) {
      stoppedAtMs = nowMs;
      report(`${reason}: stopping the stack`);
      void Promise.allSettled([folder.close(), starting]).then(() => {
        report('the stack has stopped');
        hasStopped();
      });
    } else if (nowMs - stoppedAtMs > sameSignalMs) {
      // The terminal and npm both forward the first Ctrl-C. Only a later one counts as the second request.
      report('killing the processes that have not stopped');
      folder.context.table.killAll();
    }
  };
  const starting = startStack(folder, options, projectFolder);
  const ready = starting.then(
    (stack) => {
      report(`the service is ready at ${stack.url} (reference: ${stack.url}/docs); stop it with Ctrl-C`);
      return stack;
    },
    async (error: unknown) => {
      if (stoppedAtMs !== undefined) return undefined;
      stoppedAtMs = performance.now();
      await folder.close();
      throw error;
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (env.npm_lifecycle_event !== undefined) onParentExit(() => stop('the program that started this stack exited'));
  return { ready, stop: () => stop('the work is done'), stopped };
}

/** A killed npm forwards no signal, so the stack would otherwise keep running. */
function onParentExit(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 1_000);
  timer.unref();
}
