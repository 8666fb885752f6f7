import { readdirSync, readFileSync } from 'node:fs';

/** The unit of `/proc/<pid>/statm` on the processors that are supported. */
const pageBytes = 4_096;

/**
 * Milliseconds of processor time of a process; 0 when it has exited. The greater of two counts: the scheduler's, because the ticks of
 * proc(5) are too coarse for small processes, and the ticks, because they include threads that have ended.
 */
export function processorMs(pid: number): number {
  const nanoseconds = namesIn(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [onProcessor] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(onProcessor ?? 0);
  }, 0);
  // The program's name is in brackets; the 12th and 13th field behind it are ticks in user and in kernel mode.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return Math.max(nanoseconds / 1e6, ticks * 10);
}

/** Resident memory of a process; 0 when it has exited. */
export const residentBytes = (pid: number): number =>
  Number(textOf(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageBytes;

/** A process and all that it has started, directly or not. */
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

/** The name of a process, or the title that it gave itself, at most 15 bytes; empty when it has exited. */
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
