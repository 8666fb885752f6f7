import type { ComponentChildren } from 'preact';
import { ErrorNote } from './states.tsx';
import type { Pages } from './use-pages.ts';

interface ListStartProps {
  readonly pages: Pick<Pages<unknown>, 'entries' | 'error' | 'isLoading' | 'isEmpty' | 'reload'>;
  /** In the place of the entries until the first ones are there. */
  readonly loading: ComponentChildren;
  /** In the place of the entries when there are none. */
  readonly empty?: ComponentChildren;
}

/** What a list shows above its entries, or in their place: its error, that it loads, or that it is empty. */
export function ListStart({ pages: { entries, error, isLoading, isEmpty, reload }, loading, empty }: ListStartProps) {
  return (
    <>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && entries.length === 0 && loading}
      {isEmpty && empty}
    </>
  );
}
