import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Node.js options and the path that run the command line from its sources. */
const cliProgram = [
  '--import',
  import.meta.resolve('tsx'),
  '--conditions=docmill-source',
  resolve('clients/cli/src/main.ts'),
];

export interface CliOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called with the process and with everything that it wrote to standard error so far, whenever it writes. */
  readonly onMessage?: (child: ChildProcess, text: string) => void;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the command line as a process of its own. Its home, and so its state, is `cwd`. */
export async function runCommand(words: readonly string[], { cwd, env, input = '', onMessage, onStart }: CliOptions) {
  const child = spawn(process.execPath, [...cliProgram, ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    onMessage?.(child, stderr);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  onStart?.(child);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}
