/** Gives interactive requests priority over batches in the same process. */
export interface PriorityGate {
  /** Runs interactive work, which a caller waits for. */
  runInteractive<T>(work: () => Promise<T>): Promise<T>;
  /** Runs a short step of a batch: immediately while no caller waits, otherwise when a processor is free. */
  yieldToInteractive<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a caller is waiting or was within the last second. */
  hasRecentCallers(): boolean;
}

/** Requests arrive in bursts: another is likely within this time. */
const recentMs = 1_000;

/**
 * While callers wait, batches run on the remaining processors, at least one step at a time. For a second after the last
 * caller they run one step per processor, then without limit. Waiting steps run in FIFO order.
 */
export function createPriorityGate(processors: number): PriorityGate {
  let callers = 0;
  let lastFinishedMs = Number.NEGATIVE_INFINITY;
  let runningSteps = 0;
  const waiting: (() => void)[] = [];
  const hasRecentCallers = (): boolean => callers > 0 || performance.now() - lastFinishedMs < recentMs;
  const isFree = (): boolean => {
    if (callers > 0) return runningSteps < Math.max(1, processors - 1 - callers);
    return !hasRecentCallers() || runningSteps < processors;
  };
  const startWaiting = (): void => {
    while (isFree()) {
      const next = waiting.shift();
      if (next === undefined) return;
      runningSteps += 1;
      next();
    }
  };
  return {
    hasRecentCallers,
    async runInteractive(work) {
      callers += 1;
      try {
        return await work();
      } finally {
        callers -= 1;
        lastFinishedMs = performance.now();
        startWaiting();
      }
    },
    async yieldToInteractive(work) {
      if (waiting.length === 0 && isFree()) runningSteps += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        runningSteps -= 1;
        startWaiting();
      }
    },
  };
}
