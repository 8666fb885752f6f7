/** Lets callers who wait for their document go before the work of batches, in the same process. */
export interface PriorityGate {
  /** Work that somebody waits for. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** A short step of a batch: at once while nobody waits, else when it fits in beside those who do. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Somebody waits, or did within the last second: callers come in series. */
  areCallersAbout(): boolean;
}

const seriesMs = 1_000;

/**
 * While callers wait, so many steps of batches go on at a time as there are processors left, one at least; between callers
 * who come within a second, as many as there are processors: batches slow down, and never stand still. Steps that wait are let in in the order in which they came.
 */
export function createPriorityGate(processors: number): PriorityGate {
  let callers = 0;
  let lastLeftMs = Number.NEGATIVE_INFINITY;
  let steps = 0;
  const waiting: (() => void)[] = [];
  const areCallersAbout = (): boolean => callers > 0 || performance.now() - lastLeftMs < seriesMs;
  const isFree = (): boolean => {
    if (callers > 0) return steps < Math.max(1, processors - 1 - callers);
    return !areCallersAbout() || steps < processors;
  };
  const letIn = (): void => {
    while (isFree()) {
      const next = waiting.shift();
      if (next === undefined) return;
      steps += 1;
      next();
    }
  };
  return {
    areCallersAbout,
    async first(work) {
      callers += 1;
      try {
        return await work();
      } finally {
        callers -= 1;
        lastLeftMs = performance.now();
        letIn();
      }
    },
    async step(work) {
      if (waiting.length === 0 && isFree()) steps += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        steps -= 1;
        letIn();
      }
    },
  };
}
