import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { signalProcess } from './process-identity.ts';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Ends the command and all that it started; the call still waits until they are gone. */
  readonly signal: AbortSignal;
}

export class CommandError extends Error {}

/** Runs to the end and gives back standard output; another ending than 0 throws with what the command said. */
export async function runCommand(command: Command): Promise<string> {
  command.signal.throwIfAborted();
  const child = spawn(command.command, command.args, {
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...command.owner,
  });
  const stop = (): void => void (child.pid !== undefined && signalProcess(-child.pid, 'SIGTERM'));
  command.signal.addEventListener('abort', stop, { once: true });
  try {
    const [ending, stdout, stderr] = await Promise.all([untilClosed(child), text(child.stdout), text(child.stderr)]);
    if (ending === 0) return stdout;
    const said = (stderr || stdout).trim();
    throw new CommandError(`${command.command} ${command.args[0] ?? ''} ended with ${ending}: ${said}`);
  } finally {
    command.signal.removeEventListener('abort', stop);
  }
}

function untilClosed(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}
