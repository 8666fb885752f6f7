import { readdirSync, readFileSync } from 'node:fs';
import { descendants } from '../../test/faults/harness/measure.ts';

/** Seconds of processor time by the name of the part; empty where there is no /proc. */
export type ProcessorTime = Readonly<Record<string, number>>;

/** Processor time that the processes below each of these pids, and these, have used so far. */
export function readProcessorTime(parts: ReadonlyMap<string, number>): ProcessorTime {
  if (process.platform !== 'linux') return {};
  const seconds: Record<string, number> = {};
  for (const [part, pid] of parts) {
    for (const each of [pid, ...descendants(pid)]) {
      const key = part === 'worker' && each !== pid ? `worker: ${nameOf(each)}` : part;
      seconds[key] = (seconds[key] ?? 0) + processorSeconds(each);
    }
  }
  return seconds;
}

/** Milliseconds of processor time a document, for each part. */
export function perDocument(before: ProcessorTime, after: ProcessorTime, documents: number): ProcessorTime {
  const parts = Object.entries(after).map(([part, seconds]): [string, number] => {
    const used = seconds - (before[part] ?? 0);
    return [part, Math.round((used * 100_000) / documents) / 100];
  });
  return Object.fromEntries(parts.filter(([, ms]) => ms > 0));
}

/**
 * Processor time of a process; 0 when it is gone. What the scheduler counted for its threads, as the ticks of proc(5) are too
 * coarse for many small processes; but those remember threads that have ended.
 */
export function processorSeconds(pid: number): number {
  const threads = namesIn(`/proc/${pid}/task`);
  const nanoseconds = threads.reduce((sum, thread) => {
    const [onProcessor] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(onProcessor ?? 0);
  }, 0);
  // The name of the program stands in brackets; behind it the 12th and 13th field are ticks in user and in kernel mode.
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
