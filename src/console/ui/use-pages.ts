import { useCallback, useEffect, useId, useRef, useState } from 'preact/hooks';
import { createSessionMemory } from '../session/session-memory.ts';
import { historyKey, isReturned } from './history-place.ts';

export interface Pages<T> {
  readonly entries: readonly T[];
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Whether loading has finished and found nothing. */
  readonly isEmpty: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
  /** Updates entries in place, for example after one was changed. */
  readonly update: (change: (entries: readonly T[]) => readonly T[]) => void;
}

/** The last shown lists, by history entry. */
const keptLists = createSessionMemory<readonly unknown[]>(20);

/**
 * Loads a list a page at a time. `key` identifies what is listed; the list restarts when it changes. Back and Forward
 * show the entries loaded before at once, and reload as many.
 */
export function usePages<T>(list: (signal: AbortSignal) => AsyncIterable<T>, pageSize: number, key: string): Pages<T> {
  const id = useId();
  const place = `${historyKey()} ${location.pathname} ${id} ${key}`;
  const [entries, setEntries] = useState<readonly T[]>(() => keptEntries<T>(place));
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
    let size = Math.max(pageSize, keptEntries<T>(place).length);
    // Reads one entry ahead to know whether there is another page.
    let next: T | undefined;
    const take = async (): Promise<void> => {
      setIsLoading(true);
      setError(undefined);
      try {
        const page: T[] = next === undefined ? [] : [next];
        next = undefined;
        while (page.length <= size) {
          const { done, value } = await iterator.next();
          if (done === true) break;
          page.push(value);
        }
        if (controller.signal.aborted) return;
        next = page.length > size ? page.pop() : undefined;
        const before = isFirst;
        isFirst = false;
        size = pageSize;
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

  useEffect(() => keptLists.set(place, entries), [entries]);

  return {
    entries,
    error,
    isLoading,
    isEmpty: !isLoading && error === undefined && entries.length === 0,
    hasMore,
    more: useCallback(() => void reading.current?.take(), []),
    reload: useCallback(() => setRound((count) => count + 1), []),
    update: setEntries,
  };
}

function keptEntries<T>(place: string): readonly T[] {
  return isReturned() ? ((keptLists.get(place) ?? []) as readonly T[]) : [];
}
