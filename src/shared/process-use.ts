import { readdirSync, readFileSync } from 'node:fs';

/** The page size in `/proc/<pid>/statm` on the supported processors. */
const pageBytes = 4_096;

/**
 * Processor time of a process in milliseconds; 0 if it has exited. Returns the greater of two counts: the scheduler's,
 * because the ticks of proc(5) are too coarse for small processes, and the ticks, because they include threads that
 * have ended.
 */
export function processorMs(pid: number): number {
  const nanoseconds = namesIn(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [onProcessor] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(onProcessor ?? 0);
  }, 0);
  // The program name is in parentheses; fields 12 and 13 after it are ticks in user and in kernel mode.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return Math.max(nanoseconds / 1e6, ticks * 10);
}

/** Resident memory of a process; 0 if it has exited. */
export const residentBytes = (pid: number): number =>
  Number(textOf(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageBytes;

/** A process and all its descendants. */
export function withDescendants(pid: number): readonly number[] {
  const pids = new Set([pid]);
  for (const each of pids) for (const child of childrenOf(each)) pids.add(child);
  return [...pids];
}

export function childrenOf(pid: number): readonly number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** The name of a process, or the title it has set, at most 15 bytes; empty if it has exited. */
export const nameOf = (pid: number): string => textOf(`/proc/${pid}/comm`).trim();

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
