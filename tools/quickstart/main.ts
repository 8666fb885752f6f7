import { isPortFree } from '../local/ports.ts';
import { runStack } from '../local/run-stack.ts';
import type { ReadyStack } from '../local/start-stack.ts';
import { makeDocuments } from './make-documents.ts';
import { curlLines, summarise } from './summary.ts';

const isOnce = process.argv.includes('--once');
const defaultPort = 3000;

async function main(): Promise<number> {
  const port = process.env.PORT || String(await choosePort());
  const running = await runStack({ ...process.env, PORT: port }, process.cwd());
  const stack = await running.ready;
  const isDone = stack !== undefined && (await demonstrate(stack));
  if (isOnce || !isDone) running.stop();
  await running.stopped;
  return isDone || stack === undefined ? 0 : 1;
}

async function demonstrate(stack: ReadyStack): Promise<boolean> {
  try {
    const made = await makeDocuments(stack, step);
    process.stdout.write(summarise(stack, made));
    if (!isOnce) process.stdout.write(`${curlLines(stack, made)}\nThe service runs until you press Ctrl-C.\n`);
    return true;
  } catch (error) {
    process.stderr.write(`the demonstration failed: ${messageOf(error)}\n`);
    process.stderr.write(`the service's logs are in ${stack.logsDir}\n`);
    return false;
  }
}

async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  process.stderr.write(`  ✓ ${what} (${Math.round(performance.now() - startedAtMs)} ms)\n`);
  return result;
}

/** The default port, or 0 for any free one if another program uses it. */
async function choosePort(): Promise<number> {
  if (await isPortFree(defaultPort)) return defaultPort;
  process.stderr.write(`port ${defaultPort} is in use, so a free one is used (set PORT to choose one)\n`);
  return 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\nthe service did not start\n`);
    process.exit(1);
  },
);
