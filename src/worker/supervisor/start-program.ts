import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Entry } from '../../shared/resolve-entry.ts';
import { dieWithParent } from './die-with-parent.ts';
import { framePipes } from './frame-pipes.ts';

export interface ProgramOptions {
  /** The program, which calls `serveRequests`. */
  readonly entry: Entry;
  /** Its arguments, which other processes can read. */
  readonly args?: readonly string[] | undefined;
  /** Additional V8 flags. */
  readonly flags?: readonly string[] | undefined;
  readonly heapMb: number;
  /** Niceness, 0 to 19. Default: that of this process. */
  readonly niceness?: number | undefined;
}

/**
 * Starts one of the service's own programs in a process with a limited heap. It has no environment and inherits nothing
 * but its two pipes; the kernel kills it when this process ends.
 */
export function startProgram({ entry, args = [], flags = [], heapMb, niceness }: ProgramOptions): ChildProcess {
  // More threads would only compete with the other processes for the cores.
  const v8Flags = [`--max-old-space-size=${heapMb}`, '--single-threaded-gc', ...flags];
  const program = dieWithParent({
    file: process.execPath,
    args: [...v8Flags, ...entry.execArgv, entry.file, ...args],
  });
  const child = spawn(program.file, program.args, { env: {}, stdio: [...framePipes] });
  if (niceness !== undefined) lowerPriority(child, niceness);
  return child;
}

function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // The process has ended already; its exit is reported.
  }
}
