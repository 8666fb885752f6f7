import { readFileSync } from 'node:fs';
import { descendants } from '../../test/faults/harness/measure.ts';

/** Seconds of processor time by the name of the part; empty where there is no /proc. */
export type ProcessorTime = Readonly<Record<string, number>>;

const ticksPerSecond = 100;

/** Processor time that the processes below each of these pids, and these, have used so far. */
export function readProcessorTime(parts: ReadonlyMap<string, number>): ProcessorTime {
  if (process.platform !== 'linux') return {};
  const seconds: Record<string, number> = {};
  for (const [part, pid] of parts) {
    for (const each of [pid, ...descendants(pid)]) {
      const { name, used } = readUse(each);
      const key = part === 'worker' && each !== pid ? `worker: ${name}` : part;
      seconds[key] = (seconds[key] ?? 0) + used;
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

/** proc(5): the name stands in brackets; fields 14 and 15 are ticks in user and in kernel mode. */
function readUse(pid: number): { readonly name: string; readonly used: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return { name, used: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond };
  } catch {
    return { name: 'gone', used: 0 };
  }
}
