export interface Limiter {
  /** Runs the work when a permit is free, in FIFO order. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Settles when no work runs or waits. */
  whenIdle(): Promise<void>;
}

export function createLimiter(count: number): Limiter {
  const waiting: (() => void)[] = [];
  const idleListeners: (() => void)[] = [];
  let free = count;

  const acquire = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
    if (free === count) for (const listener of idleListeners.splice(0)) listener();
  };

  return {
    async run(work) {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
    whenIdle: () => (free === count ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve))),
  };
}
