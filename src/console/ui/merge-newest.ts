interface Entry {
  readonly id: string;
}

export interface Merged<T> {
  /** What is shown, in the same order, with the newer state of each. */
  readonly entries: readonly T[];
  /** What is newer than everything shown. */
  readonly fresh: readonly T[];
}

/**
 * Brings a list up to date without moving anything: known entries are replaced in their places, new ones are set aside. Ids sort by
 * time, so that an entry that left the filter, or is older than the list, is not new.
 */
export function mergeNewest<T extends Entry>(shown: readonly T[], newest: readonly T[]): Merged<T> {
  const byId = new Map(newest.map((entry) => [entry.id, entry]));
  const newestShown = shown[0]?.id ?? '';
  return {
    entries: shown.map((entry) => byId.get(entry.id) ?? entry),
    fresh: newest.filter(({ id }) => id > newestShown),
  };
}
