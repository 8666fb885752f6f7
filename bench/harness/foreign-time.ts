import { readFileSync } from 'node:fs';
import { readProcessorTime } from './processor-time.ts';

/** Runs a turn and adds what else the machine did meanwhile; 0 where there is no /proc. */
export async function withForeignTime<T extends object>(run: () => Promise<T>): Promise<T & { foreignShare: number }> {
  const before = look();
  const result = await run();
  const after = look();
  const all = after.all - before.all;
  const foreign = after.busy - before.busy - (after.own - before.own);
  return { ...result, foreignShare: all > 0 ? Math.max(0, Math.round((foreign * 1_000) / all) / 1_000) : 0 };
}

function look(): { readonly all: number; readonly busy: number; readonly own: number } {
  if (process.platform !== 'linux') return { all: 0, busy: 0, own: 0 };
  // proc(5), line "cpu": user nice system idle iowait irq softirq steal; stolen time is somebody else's too.
  const ticks = (readFileSync('/proc/stat', 'latin1').split('\n')[0] ?? '').split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, each) => sum + each, 0) / 100;
  const idle = ((ticks[3] ?? 0) + (ticks[4] ?? 0)) / 100;
  const own = Object.values(readProcessorTime(new Map([['own', process.pid]]))).reduce((sum, each) => sum + each, 0);
  return { all, busy: all - idle, own };
}
