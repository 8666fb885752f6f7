import { fileURLToPath } from 'node:url';
import { runStack } from './run-stack.ts';

/** `npm run local` starts the whole service and prints one line of JSON when it is ready. */
async function main(): Promise<void> {
  const stack = await runStack(process.env, fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, ''));
  const ready = await stack.ready;
  if (ready !== undefined) process.stdout.write(`${JSON.stringify(ready)}\n`);
  await stack.stopped;
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nthe stack did not start\n`);
  process.exit(1);
});
