import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export interface ProgramRun {
  /** Null after a signal. */
  readonly code: number | null;
  /** The object that it printed; empty when it printed none. */
  readonly out: Readonly<Record<string, unknown>>;
  readonly problem: string;
}

/** Runs a command of the operator as a program of its own, with this environment alone. */
export async function runAdmin(
  line: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramRun> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/admin/main.ts', ...line, '--json'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, problem] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, out: out === '' ? {} : JSON.parse(out), problem };
}
