import { expect } from 'vitest';

/** Does `work` and expects it to take less processor time than this: the clock would count what else the machine does. */
export function withinMs<T>(limitMs: number, work: () => T): T {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(limitMs);
  return value;
}
