import { useCallback, useEffect, useState } from 'preact/hooks';
import { mergeNewest } from './merge-newest.ts';
import { type Pages, usePages } from './use-pages.ts';
import { usePolling } from './use-polling.ts';

interface LiveList<T> {
  /** Identifies what is listed; the list reloads when it changes. */
  readonly key: string;
  readonly pageSize: number;
  readonly list: (signal: AbortSignal) => AsyncIterable<T>;
  readonly get: (id: string, signal: AbortSignal) => Promise<T>;
  readonly hasEnded: (entry: T) => boolean;
  /** A search reads many pages of the service, so it is not repeated; only the entries found are updated. */
  readonly isSearch?: boolean;
}

export interface LivePages<T> extends Pages<T> {
  /** Newer entries that are not shown yet. */
  readonly fresh: readonly T[];
  readonly showFresh: () => void;
  /** Whether the last update failed, so that entries may have changed since. */
  readonly isOutdated: boolean;
}

/** At most this many unfinished entries beyond the newest page are refreshed, one by one. */
const maxAsked = 10;
const everyMs = 4_000;

/**
 * A list that updates itself without moving: states change in place, and new entries wait until the user shows them.
 */
export function useLiveList<T extends { readonly id: string }>(input: LiveList<T>): LivePages<T> {
  const { key, pageSize, list, get, hasEnded, isSearch = false } = input;
  const pages = usePages(list, pageSize, key);
  const { entries, update, error, isLoading } = pages;
  const [fresh, setFresh] = useState<readonly T[]>([]);
  useEffect(() => setFresh([]), [key]);
  const isOutdated = usePolling(
    async (signal) => {
      const newest = isSearch ? [] : await take(list(signal), pageSize);
      const onPage = new Set(newest.map(({ id }) => id));
      const open = entries.filter((entry) => !hasEnded(entry) && !onPage.has(entry.id)).slice(0, maxAsked);
      const asked = await Promise.all(open.map(({ id }) => get(id, signal)));
      if (signal.aborted) return;
      update((shown) => mergeNewest(mergeNewest(shown, newest).entries, asked).entries);
      setFresh(mergeNewest(entries, newest).fresh);
    },
    { everyMs, isOn: !isLoading && error === undefined },
  );
  const showFresh = useCallback(() => {
    update((shown) => [...mergeNewest(shown, fresh).fresh, ...shown]);
    setFresh([]);
  }, [fresh, update]);
  return { ...pages, fresh, showFresh, isOutdated };
}

async function take<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const entry of source) {
    taken.push(entry);
    if (taken.length === count) break;
  }
  return taken;
}
