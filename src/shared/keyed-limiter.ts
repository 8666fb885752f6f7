export interface KeyedLimiterOptions {
  /**
   * The number of permits that one key may hold at a time. A function is called each time; call `grant` after its
   * result has grown.
   */
  readonly maxPerKey: number | (() => number);
  /** The number of permits that all keys together may hold at a time. Default: unlimited. */
  readonly maxTotal?: number;
}

export interface Permit {
  /** Passes the permit to the first waiting caller that may have it. Safe to repeat. */
  release(): void;
}

/**
 * Limits concurrency per key and in total. Returns `undefined` if no permit is available, so that the caller chooses
 * the error.
 */
export interface KeyedLimiter {
  /** Returns a permit if one is free now. */
  tryAcquire(key: string): Permit | undefined;
  /**
   * Returns a permit as soon as one is free, in order of arrival; `undefined` after `maxWaitMs`.
   */
  acquire(key: string, maxWaitMs: number): Promise<Permit | undefined>;
  /** The number of permits currently held, in total or by one key. */
  inUse(key?: string): number;
  /** The number of callers waiting in `acquire`. */
  waiting(): number;
  /** Passes free permits to waiting callers. */
  grant(): void;
}

interface Waiter {
  readonly key: string;
  readonly grant: (permit: Permit) => void;
}

export function createKeyedLimiter(options: KeyedLimiterOptions): KeyedLimiter {
  const { maxPerKey, maxTotal = Number.POSITIVE_INFINITY } = options;
  const held = new Map<string, number>();
  const waiters: Waiter[] = [];
  let total = 0;
  const heldBy = (key: string): number => held.get(key) ?? 0;
  const limitPerKey = typeof maxPerKey === 'number' ? () => maxPerKey : maxPerKey;
  const isFree = (key: string): boolean => total < maxTotal && heldBy(key) < limitPerKey();

  const createPermit = (key: string): Permit => {
    total += 1;
    held.set(key, heldBy(key) + 1);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      total -= 1;
      const remaining = heldBy(key) - 1;
      if (remaining === 0) held.delete(key);
      else held.set(key, remaining);
      grantNext();
    };
    return { release };
  };

  // One release frees one permit, so at most one waiter gets it.
  const grantNext = (): boolean => {
    const index = waiters.findIndex(({ key }) => isFree(key));
    const [next] = index < 0 ? [] : waiters.splice(index, 1);
    next?.grant(createPermit(next.key));
    return next !== undefined;
  };

  const tryAcquire = (key: string): Permit | undefined => (isFree(key) ? createPermit(key) : undefined);

  return {
    tryAcquire,
    waiting: () => waiters.length,
    grant() {
      while (grantNext());
    },
    inUse: (key) => (key === undefined ? total : heldBy(key)),
    async acquire(key, maxWaitMs) {
      const permit = tryAcquire(key);
      if (permit !== undefined) return permit;
      return new Promise((resolve) => {
        const waiter: Waiter = {
          key,
          grant: (granted) => {
            clearTimeout(timer);
            resolve(granted);
          },
        };
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1);
          resolve(undefined);
        }, maxWaitMs);
        waiters.push(waiter);
      });
    },
  };
}
