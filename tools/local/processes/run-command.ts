import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { signalProcess } from './process-identity.ts';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Terminates the command's process group; the call still waits for its exit. */
  readonly signal: AbortSignal;
}

/** Runs a command and returns its standard output; throws with its error output when the exit code is not 0. */
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
    const output = (stderr || stdout).trim();
    throw new Error(`${command.command} ${command.args[0] ?? ''} exited with ${ending}: ${output}`);
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
