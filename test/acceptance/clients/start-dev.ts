import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { cliProgram } from './run-cli.ts';

export interface RunningDev {
  /** The address with its token. */
  readonly address: string;
  readonly origin: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Presses Ctrl-C and returns the exit code. */
  readonly interrupt: () => Promise<number | null>;
}

/** Runs `docmill dev` as a process of its own, until it has printed its address. */
export async function startDev(
  folder: string,
  service: { readonly url: string; readonly apiKey: string },
  words: readonly string[] = [],
): Promise<RunningDev> {
  const env = { ...process.env, DOCMILL_URL: service.url, DOCMILL_API_KEY: service.apiKey, NO_COLOR: '1' };
  const child = spawn(process.execPath, [cliProgram, 'dev', folder, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const addressOf = () => /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(stdout)?.[0];
  await expect.poll(() => child.exitCode !== null || addressOf() !== undefined, { timeout: 60_000 }).toBe(true);
  const address = addressOf();
  if (address === undefined) throw new Error(`docmill dev ended: ${stderr}`);
  return {
    address,
    origin: new URL(address).origin,
    stdout: () => stdout,
    stderr: () => stderr,
    async interrupt() {
      child.kill('SIGINT');
      return (await exited)[0];
    },
  };
}
