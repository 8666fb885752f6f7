import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { vi } from 'vitest';
import {
  type ProgramOptions,
  type ProgramRun,
  type RunningProgram,
  startProgram,
} from '../../support/client/run-program.ts';

const built = resolve('clients/cli/dist');

/** The command line as it is published. The global set-up of the suite builds it. */
export const cliProgram = resolve(built, 'main.js');
const { runProgram } = (await import(
  resolve(built, 'run-program.js')
)) as typeof import('../../../clients/cli/src/run-program.ts');

export interface Service {
  readonly url: string;
  readonly apiKey: string;
}

/** The variables of a run, which keeps its state in `home`. */
export const cliEnv = (home: string, service?: Service): Readonly<Record<string, string>> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  NO_COLOR: '1',
  ...(service !== undefined && { DOCMILL_URL: service.url, DOCMILL_API_KEY: service.apiKey }),
});

export const startCli = (line: string | readonly string[], options: ProgramOptions): RunningProgram =>
  startProgram(runProgram, line, options);

export const runCli = (line: string | readonly string[], options: ProgramOptions): Promise<ProgramRun> =>
  startCli(line, options).ended;

/**
 * Runs the command line as a process of its own, which has signals, pipes and arguments that other processes see. It
 * gets its input after `beforeInput`.
 */
export async function spawnCli(
  line: string,
  options: ProgramOptions,
  beforeInput: (child: ChildProcess) => void | Promise<void>,
) {
  const { cwd, env = {}, input = '' } = options;
  const child = spawn(process.execPath, [cliProgram, ...line.split(' ')], { cwd, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'close');
  await beforeInput(child);
  child.stdin.end(input);
  const [exitCode] = (await closed) as [number | null];
  return { exitCode, stdout, stderr };
}

export interface RunningDev extends RunningProgram {
  /** The address of the page with its token, and without. */
  readonly address: string;
  readonly origin: string;
}

/** Runs `docmill dev` until it has printed its address. */
export async function startDev(folder: string, service: Service): Promise<RunningDev> {
  const run = startCli(['dev', folder], { env: cliEnv(folder, service) });
  const ready = vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(run.stdout())?.[0], 240_000);
  const address = await Promise.race([ready, run.ended]);
  if (typeof address !== 'string') throw new Error(`docmill dev ended: ${address.stderr}`);
  return { ...run, address, origin: new URL(address).origin };
}
