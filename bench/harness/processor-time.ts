import { nameOf, processorMs } from '../../src/shared/process-use.ts';
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

/** Seconds of processor time of a process; 0 when it has exited. */
export const processorSeconds = (pid: number): number => processorMs(pid) / 1_000;
