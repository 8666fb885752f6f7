import { useCallback } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';

export interface Filters<Name extends string> {
  /** An empty string means no filter. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isFiltered: boolean;
  /** Sets filters and updates the address, so that Back and copied links work. */
  readonly set: (changes: Partial<Record<Name, string>>) => void;
  readonly clear: () => void;
}

/** The filters of a list, kept only in the query string. */
export function useFilters<Name extends string>(names: readonly Name[]): Filters<Name> {
  const [query, setQuery] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<Name, string>;
  const set = useCallback(
    (changes: Partial<Record<Name, string>>) => {
      setQuery(
        (before) => {
          const next = new URLSearchParams(before);
          for (const name of names) {
            const value = changes[name];
            if (value === '') next.delete(name);
            else if (value !== undefined) next.set(name, value);
          }
          return next;
        },
        { replace: true },
      );
    },
    [setQuery],
  );
  const clear = useCallback(() => setQuery({}, { replace: true }), [setQuery]);
  return { values, isFiltered: names.some((name) => values[name] !== ''), set, clear };
}
