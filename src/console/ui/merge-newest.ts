interface Entry {
  readonly id: string;
}

export interface Merged<T> {
  /** The shown entries in the same order, each in its newest state. */
  readonly entries: readonly T[];
  /** Entries newer than all shown ones. */
  readonly fresh: readonly T[];
}

/**
 * Updates a list without moving anything: replaces known entries in place, and collects new ones. Ids sort by time, so
 * an entry that left the filter, or is older than the list, does not count as new.
 */
export function mergeNewest<T extends Entry>(shown: readonly T[], newest: readonly T[]): Merged<T> {
  const byId = new Map(newest.map((entry) => [entry.id, entry]));
  const newestShown = shown[0]?.id ?? '';
  return {
    entries: shown.map((entry) => byId.get(entry.id) ?? entry),
    fresh: newest.filter(({ id }) => id > newestShown),
  };
}
