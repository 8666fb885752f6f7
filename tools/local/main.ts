import { fileURLToPath } from 'node:url';
import { openFolder } from './backing-services.ts';
import { readOptions } from './options.ts';
import { createReport } from './report.ts';
import { startStack } from './start-stack.ts';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const sameSignalMs = 1_000;

const report = createReport((text) => process.stderr.write(text));

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const options = readOptions(env);
  const folder = await openFolder(options.folder, env, report);
  let stoppedAtMs: number | undefined;
  const noop = (): void => undefined;
  const starting = startStack(folder, options, projectFolder);
  const stop = (reason: string): void => {
    const nowMs = performance.now();
    if (stoppedAtMs === undefined) {
      stoppedAtMs = nowMs;
      report(`${reason}: stopping the stack`);
      const settled = starting.then(noop, noop);
      void Promise.all([folder.close(), settled]).then(() => exitWith('the stack has stopped', 0));
    } else if (nowMs - stoppedAtMs > sameSignalMs) {
      // The terminal and npm both forward the first Ctrl-C. Only a later one counts as the second request.
      report('killing the processes that have not stopped');
      folder.context.table.killAll();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const { npm_lifecycle_event: npmScript, STOP_WITH_PARENT: stopsWithParent } = env;
  if (npmScript !== undefined || stopsWithParent === '1') {
    onParentExit(() => stop('the program that started this stack exited'));
  }
  try {
    const ready = await starting;
    process.stdout.write(`${JSON.stringify(ready)}\n`);
    report(`the service is ready at ${ready.url} (reference: ${ready.url}/docs); stop it with Ctrl-C`);
  } catch (error) {
    if (stoppedAtMs !== undefined) return;
    stoppedAtMs = performance.now();
    report(messageOf(error));
    await folder.close();
    exitWith('the stack did not start', 1);
  }
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

function exitWith(message: string, exitCode: number): void {
  report(message);
  process.exit(exitCode);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main(process.env).catch((error: unknown) => exitWith(messageOf(error), 1));
