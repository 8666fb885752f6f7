import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inject, onTestFinished } from 'vitest';
import { fontVariables } from '../../support/fonts.ts';
import { patientLimits } from '../../support/services/local-stack.ts';

type Line = Readonly<Record<string, unknown>>;

/**
 * Starts one more process of the common stack, on ports of its own, and waits for the line that says that it is ready.
 * It ends with the test, or with `endWith` `afterAll` with the file.
 */
export async function startProcess(
  program: 'api' | 'worker',
  ready: string,
  variables: Readonly<Record<string, string>>,
  endWith: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<{ readonly line: Line; readonly pid: number; stop(): Promise<number | null> }> {
  const env = {
    ...fontVariables,
    ...patientLimits,
    ...inject('stack').env,
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    ...variables,
  };
  const child = spawn(process.execPath, [`dist/${program}/main.js`], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    return ((await exit) as [number | null])[0];
  };
  endWith(async () => void (await stop()));
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as Line;
    if (line.msg !== ready) continue;
    child.stdout.resume();
    return { line, pid: child.pid ?? 0, stop };
  }
  throw new Error(`the ${program} ended before it was ready`);
}

/** Starts one more API process of the common stack. Returns its address. */
export async function startApi(
  variables: Readonly<Record<string, string>>,
  endWith?: (stop: () => Promise<void>) => void,
): Promise<string> {
  const { line } = await startProcess('api', 'listening', variables, endWith);
  return `http://127.0.0.1:${(line.address as { readonly port: number }).port}`;
}
