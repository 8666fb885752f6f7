import { readdirSync, readFileSync } from 'node:fs';
import { descendants } from '../../test/faults/harness/measure.ts';

/** Seconds of processor time by name of the process; empty where there is no /proc. */
export type ProcessorTime = Readonly<Record<string, number>>;

/** Processor time used so far by each of these processes and its descendants. */
export function readProcessorTime(processes: ReadonlyMap<string, number>): ProcessorTime {
  if (process.platform !== 'linux') return {};
  const seconds: Record<string, number> = {};
  for (const [name, pid] of processes) {
    for (const each of [pid, ...descendants(pid)]) {
      const key = name === 'worker' && each !== pid ? `worker: ${nameOf(each)}` : name;
      seconds[key] = (seconds[key] ?? 0) + processorSeconds(each);
    }
  }
  return seconds;
}

/** Milliseconds of processor time per document, for each process. */
export function perDocument(before: ProcessorTime, after: ProcessorTime, documents: number): ProcessorTime {
  const parts = Object.entries(after).map(([part, seconds]): [string, number] => {
    const used = seconds - (before[part] ?? 0);
    return [part, Math.round((used * 100_000) / documents) / 100];
  });
  return Object.fromEntries(parts.filter(([, ms]) => ms > 0));
}

/**
 * Seconds of processor time of a process; 0 when it has exited. The greater of two counts: the scheduler's, because the ticks of proc(5)
 * are too coarse for small processes, and the ticks, because they include threads that have ended.
 */
export function processorSeconds(pid: number): number {
  const threads = namesIn(`/proc/${pid}/task`);
  const nanoseconds = threads.reduce((sum, thread) => {
    const [onProcessor] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(onProcessor ?? 0);
  }, 0);
  // The program's name is in brackets; the 12th and 13th field behind it are ticks in user and in kernel mode.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return Math.max(nanoseconds / 1e9, ticks / 100);
}

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

function nameOf(pid: number): string {
  return textOf(`/proc/${pid}/comm`).trim();
}
