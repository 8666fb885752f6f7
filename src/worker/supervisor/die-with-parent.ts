import { execFileSync } from 'node:child_process';

let canSet: boolean | undefined;

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Wraps a program so that the kernel kills it when this process ends for any reason: a busy child would not notice that
 * its pipe is closed. Unchanged where `setpriv` of util-linux 2.33 or newer is missing. The process id remains that of
 * the started program.
 */
export function dieWithParent(program: Program): Program {
  canSet ??= process.platform === 'linux' && works();
  if (!canSet) return program;
  return { file: setpriv, args: [...option, program.file, ...program.args] };
}

/** An absolute path, because the children have no PATH. */
const setpriv = '/usr/bin/setpriv';
const option = ['--pdeathsig', 'KILL', '--'];

function works(): boolean {
  try {
    execFileSync(setpriv, [...option, 'true'], { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
