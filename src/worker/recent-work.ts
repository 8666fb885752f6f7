import type { RecentWork } from '../shared/db/schema/operations.ts';

export interface RecentCounter {
  /** Counts a piece of work that ended. */
  count(queue: string, hasFailed: boolean): void;
}

const spanMs = 10_000;
const spans = 12;

/**
 * Counts the work that ended within the last two minutes, by queue. Uses buckets of ten seconds, so that memory does
 * not grow with the amount of work.
 */
export function createRecentWork(nowMs = () => performance.now()): RecentCounter & { read(): RecentWork } {
  const bySpan = new Map<number, Map<string, { ended: number; failed: number }>>();
  const current = (): number => {
    const span = Math.floor(nowMs() / spanMs);
    for (const old of bySpan.keys()) if (old <= span - spans) bySpan.delete(old);
    return span;
  };
  return {
    count(queue, hasFailed) {
      const span = current();
      const counts = bySpan.get(span) ?? new Map<string, { ended: number; failed: number }>();
      bySpan.set(span, counts);
      const { ended, failed } = counts.get(queue) ?? { ended: 0, failed: 0 };
      counts.set(queue, { ended: ended + 1, failed: failed + (hasFailed ? 1 : 0) });
    },
    read() {
      current();
      const sum: Record<string, { ended: number; failed: number }> = {};
      for (const counts of bySpan.values())
        for (const [queue, { ended, failed }] of counts) {
          const { ended: before = 0, failed: failedBefore = 0 } = sum[queue] ?? {};
          sum[queue] = { ended: ended + before, failed: failed + failedBefore };
        }
      return sum;
    },
  };
}
