import { readFileSync } from 'node:fs';
import { vi } from 'vitest';

/** Whether the process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

export async function untilGone(pids: readonly number[], timeoutMs = 120_000): Promise<void> {
  await vi.waitFor(
    () => {
      const left = pids.filter(isRunning);
      if (left.length > 0) throw new Error(`still running: ${left.join(', ')}`);
    },
    { timeout: timeoutMs, interval: 50 },
  );
}
