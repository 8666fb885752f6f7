import type { ComponentChildren } from 'preact';
import { ErrorNote } from './states.tsx';
import type { Pages } from './use-pages.ts';

interface ListStartProps {
  readonly pages: Pick<Pages<unknown>, 'entries' | 'error' | 'isLoading' | 'isEmpty' | 'reload'>;
  /** Shown until the first entries arrive. */
  readonly loading: ComponentChildren;
  /** Shown if there are no entries. */
  readonly empty?: ComponentChildren;
}

/** The top of a list, or its replacement: an error, the loading state, or the empty state. */
export function ListStart({ pages: { entries, error, isLoading, isEmpty, reload }, loading, empty }: ListStartProps) {
  return (
    <>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && entries.length === 0 && loading}
      {isEmpty && empty}
    </>
  );
}
