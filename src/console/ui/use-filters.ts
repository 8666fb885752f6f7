import { useCallback } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';

export interface Filters<Name extends string> {
  /** An empty text is no filter. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isFiltered: boolean;
  /** Sets filters; the address follows, so that Back and a copied link work. */
  readonly set: (changes: Partial<Record<Name, string>>) => void;
  readonly clear: () => void;
}

/** The filters of a list. They are in the query of the address, and nowhere else. */
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
