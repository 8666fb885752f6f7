import { readFileSync } from 'node:fs';
import { descendants } from '../../test/faults/harness/measure.ts';
import { processorSeconds } from './processor-time.ts';

/** Runs a turn and adds which share of the machine others had meanwhile; 0 where there is no /proc. */
export async function withForeignTime<T extends object>(run: () => Promise<T>): Promise<T & { foreignShare: number }> {
  const before = look();
  const result = await run();
  const after = look();
  // A process that ended meanwhile is left out: what it used before the turn must not count against it.
  const own = [...after.own].reduce((sum, [pid, seconds]) => sum + seconds - (before.own.get(pid) ?? 0), 0);
  const all = after.all - before.all;
  const foreign = after.busy - before.busy - own;
  return { ...result, foreignShare: all > 0 ? Math.max(0, Math.round((foreign * 1_000) / all) / 1_000) : 0 };
}

function look(): { readonly all: number; readonly busy: number; readonly own: ReadonlyMap<number, number> } {
  if (process.platform !== 'linux') return { all: 0, busy: 0, own: new Map() };
  // proc(5), line "cpu": user nice system idle iowait irq softirq steal; stolen time is somebody else's too.
  const ticks = (readFileSync('/proc/stat', 'latin1').split('\n')[0] ?? '').split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, each) => sum + each, 0) / 100;
  const idle = ((ticks[3] ?? 0) + (ticks[4] ?? 0)) / 100;
  const pids = [process.pid, ...descendants(process.pid)];
  return { all, busy: all - idle, own: new Map(pids.map((pid) => [pid, processorSeconds(pid)])) };
}
