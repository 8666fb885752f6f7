import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Pages<T> {
  readonly entries: readonly T[];
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
  /** Replaces entries in place, for example after a change of one. */
  readonly update: (change: (entries: readonly T[]) => readonly T[]) => void;
}

/** Loads a list a page at a time. `key` says what is listed: with another one it begins anew. */
export function usePages<T>(list: (signal: AbortSignal) => AsyncIterable<T>, pageSize: number, key: string): Pages<T> {
  const [entries, setEntries] = useState<readonly T[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const [isLoading, setIsLoading] = useState(true);
  const [hasMore, setHasMore] = useState(false);
  const [round, setRound] = useState(0);
  const latest = useRef(list);
  latest.current = list;
  const reading = useRef<{ take: () => Promise<void> }>();

  useEffect(() => {
    const controller = new AbortController();
    const iterator = latest.current(controller.signal)[Symbol.asyncIterator]();
    let isFirst = true;
    // One entry more than is shown: it answers whether there is another page.
    let next: T | undefined;
    const take = async (): Promise<void> => {
      setIsLoading(true);
      setError(undefined);
      try {
        const page: T[] = next === undefined ? [] : [next];
        next = undefined;
        while (page.length <= pageSize) {
          const { done, value } = await iterator.next();
          if (done === true) break;
          page.push(value);
        }
        if (controller.signal.aborted) return;
        next = page.length > pageSize ? page.pop() : undefined;
        const before = isFirst;
        isFirst = false;
        setEntries((shown) => (before ? page : [...shown, ...page]));
        setHasMore(next !== undefined);
      } catch (failure) {
        if (!controller.signal.aborted) setError(failure);
      } finally {
        if (!controller.signal.aborted) setIsLoading(false);
      }
    };
    reading.current = { take };
    void take();
    return () => controller.abort();
  }, [key, round, pageSize]);

  return {
    entries,
    error,
    isLoading,
    hasMore,
    more: useCallback(() => void reading.current?.take(), []),
    reload: useCallback(() => setRound((count) => count + 1), []),
    update: setEntries,
  };
}
