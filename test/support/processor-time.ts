import { expect } from 'vitest';

/** Runs `work` and expects it to use less processor time than `limitMs`; wall-clock time would include other load. */
export function withinMs<T>(limitMs: number, work: () => T): T {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(limitMs);
  return value;
}
