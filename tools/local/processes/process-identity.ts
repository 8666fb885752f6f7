import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The start time of a process, which distinguishes it from later processes with the same id. Undefined if the process
 * is not running or is a zombie.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') return fromProc(pid);
  const { status, stdout } = spawnSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [state = '', ...started] = stdout.trim().split(/\s+/);
  return status !== 0 || state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || startTicks === undefined ? undefined : `${bootId()}:${startTicks}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** Sends a signal; returns false if the process has exited. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export function readCommandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  } catch {
    return '';
  }
}
