import { makeDocuments } from './make-documents.ts';
import { type RunningStack, runStack } from './run-stack.ts';
import { curlLines, summarise } from './summary.ts';

const isOnce = process.argv.includes('--once');

async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  process.stderr.write(`  ✓ ${what} (${Math.round(performance.now() - startedAtMs)} ms)\n`);
  return result;
}

async function demonstrate({ stack }: RunningStack): Promise<boolean> {
  try {
    const made = await makeDocuments(stack, step);
    process.stdout.write(summarise(stack, made));
    if (!isOnce) process.stdout.write(`${curlLines(stack, made)}\nThe service runs until you press Ctrl-C.\n`);
    return true;
  } catch (error) {
    process.stderr.write(`the demonstration failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.stderr.write(`the service's logs are in ${stack.logsDir}\n`);
    return false;
  }
}

const running = await runStack(process.env);
const isDone = await demonstrate(running);
if (isOnce || !isDone) running.stop();
const exitCode = await running.exitCode;
process.exit(isDone ? exitCode : 1);
