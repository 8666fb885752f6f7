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

/** What the scheduler counted for a process's threads; ticks of proc(5) are too coarse for many small processes. 0 if gone. */
export function processorSeconds(pid: number): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [onProcessor = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ');
      return sum + Number(onProcessor);
    }, 0);
    return nanoseconds / 1e9;
  } catch {
    return 0;
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
  } catch {
    return 'gone';
  }
}
