import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly signal?: AbortSignal;
}

export class CommandError extends Error {}

/** Runs to the end and gives back standard output; another ending than 0 throws with what the command said. */
export async function runCommand(command: Command): Promise<string> {
  const child = spawn(command.command, command.args, {
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...(command.signal === undefined ? {} : { signal: command.signal }),
    ...command.owner,
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const [ending, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (ending !== 0) {
    throw new CommandError(
      `${command.command} ${command.args[0] ?? ''} ended with ${ending}: ${(stderr || stdout).trim()}`,
    );
  }
  return stdout;
}
