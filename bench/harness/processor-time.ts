import { readFileSync } from 'node:fs';
import { nameOf, processorMs } from '../../src/shared/process-use.ts';
import { descendants } from '../../test/faults/harness/measure.ts';

/** Seconds of processor time by process name; empty if there is no /proc. */
export type ProcessorTime = Readonly<Record<string, number>>;

/** The processor time used so far by each of these processes and its descendants. */
export function readProcessorTime(processes: ReadonlyMap<string, number>): ProcessorTime {
  if (process.platform !== 'linux') return {};
  const seconds: Record<string, number> = {};
  for (const [name, pid] of processes) {
    for (const each of [pid, ...descendants(pid)]) {
      const key = name === 'worker' && each !== pid ? `worker: ${nameOf(each)}` : name;
      seconds[key] = (seconds[key] ?? 0) + processorSeconds(each);
      const keyOfEnded = name === 'worker' ? 'worker: ended' : name;
      seconds[keyOfEnded] = (seconds[keyOfEnded] ?? 0) + endedChildrenSeconds(each);
    }
  }
  return seconds;
}

/**
 * Seconds of processor time of the ended children of a process. Without them, closing a PostgreSQL connection would
 * remove all of its time from the sum.
 */
export function endedChildrenSeconds(pid: number): number {
  try {
    // The 14th and 15th fields after the name are ticks of a hundredth of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100;
  } catch {
    return 0;
  }
}

/** Milliseconds of processor time per document, for each process. */
export function perDocument(before: ProcessorTime, after: ProcessorTime, documents: number): ProcessorTime {
  const parts = Object.entries(after).map(([part, seconds]): [string, number] => {
    const used = seconds - (before[part] ?? 0);
    return [part, Math.round((used * 100_000) / documents) / 100];
  });
  return Object.fromEntries(parts.filter(([, ms]) => ms > 0));
}

/** The processor time of a process, in seconds; 0 if it has exited. */
export const processorSeconds = (pid: number): number => processorMs(pid) / 1_000;
