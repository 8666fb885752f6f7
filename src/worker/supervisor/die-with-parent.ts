import { execFileSync } from 'node:child_process';

let canSet: boolean | undefined;

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The program as a child that the kernel kills when this process ends, however it ends: a child that computes would not
 * notice that its pipe is closed. Unchanged where `setpriv` of util-linux 2.33 or newer is missing. The process id stays
 * that of the started program.
 */
export function dieWithParent(program: Program): Program {
  canSet ??= process.platform === 'linux' && works();
  if (!canSet) return program;
  return { file: setpriv, args: [...option, program.file, ...program.args] };
}

/** Absolute, because the children have no PATH. */
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
