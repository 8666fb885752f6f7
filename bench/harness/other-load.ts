import { readFileSync } from 'node:fs';
import { descendants } from '../../test/faults/harness/measure.ts';
import { processorSeconds } from './processor-time.ts';

/**
 * Runs `work`, and adds the share of the machine, from 0 to 1, that other programs used meanwhile. The share is 0
 * without /proc.
 */
export async function withOtherLoad<T extends object>(work: () => Promise<T>): Promise<T & { foreignShare: number }> {
  const before = readUse();
  const result = await work();
  const after = readUse();
  // A process that exited meanwhile is not counted, because its time before the run must not be subtracted.
  const ours = [...after.ours].reduce((sum, [pid, seconds]) => sum + seconds - (before.ours.get(pid) ?? 0), 0);
  const all = after.all - before.all;
  const foreign = after.busy - before.busy - ours;
  return { ...result, foreignShare: all > 0 ? Math.max(0, Math.round((foreign * 1_000) / all) / 1_000) : 0 };
}

function readUse(): { readonly all: number; readonly busy: number; readonly ours: ReadonlyMap<number, number> } {
  if (process.platform !== 'linux') return { all: 0, busy: 0, ours: new Map() };
  // proc(5), line "cpu": user nice system idle iowait irq softirq steal. Stolen time counts as that of other programs.
  const ticks = (readFileSync('/proc/stat', 'latin1').split('\n')[0] ?? '').split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, each) => sum + each, 0) / 100;
  const idle = ((ticks[3] ?? 0) + (ticks[4] ?? 0)) / 100;
  const pids = [process.pid, ...descendants(process.pid)];
  return { all, busy: all - idle, ours: new Map(pids.map((pid) => [pid, processorSeconds(pid)])) };
}
