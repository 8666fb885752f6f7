/** Lets callers who wait for their document go before the work of batches, in the same process. */
export interface RightOfWay {
  /** Work that somebody waits for. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** A short step of a batch: at once while nobody waits, else when it fits in beside those who do. */
  step<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * While callers wait, so many steps of batches go on at a time as there are processors left, one at least: batches slow
 * down, and never stand still. Steps that wait are let in in the order in which they came.
 */
export function createRightOfWay(processors: number): RightOfWay {
  let callers = 0;
  let steps = 0;
  const waiting: (() => void)[] = [];
  const isFree = (): boolean => callers === 0 || steps < Math.max(1, processors - 1 - callers);
  const letIn = (): void => {
    while (isFree()) {
      const next = waiting.shift();
      if (next === undefined) return;
      steps += 1;
      next();
    }
  };
  return {
    async first(work) {
      callers += 1;
      try {
        return await work();
      } finally {
        callers -= 1;
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
