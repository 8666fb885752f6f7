import { ArrowUp } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { listTexts } from '../texts/lists.ts';
import { Button } from './button.tsx';
import './rows.css';
import { ErrorNote, Skeleton } from './states.tsx';
import type { LivePages } from './use-live-list.ts';

interface LiveRowsProps<T> {
  readonly pages: LivePages<T>;
  /** Named by the heading of the page when there is one. */
  readonly label: string;
  /** Shown when there is nothing. */
  readonly empty: ComponentChildren;
  /** Shown below the last row, such as why a search ended early. */
  readonly note?: ComponentChildren;
  readonly row: (entry: T) => ComponentChildren;
}

/** The rows of a list that stays up to date, with its loading, empty and error states. */
export function LiveRows<T extends { readonly id: string }>({ pages, label, empty, note, row }: LiveRowsProps<T>) {
  const { entries, error, isLoading, hasMore, more, reload, fresh, showFresh } = pages;
  const isEmpty = !isLoading && error === undefined && entries.length === 0;
  return (
    <>
      <div class="live-line">
        <span>
          <span class="live-dot" aria-hidden="true" />
          {listTexts.live}
        </span>
        <span role="status">
          {fresh.length > 0 && (
            <Button variant="quiet" icon={<ArrowUp />} onClick={showFresh}>
              {listTexts.fresh(fresh.length)}
            </Button>
          )}
        </span>
      </div>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && entries.length === 0 && <Skeleton lines={8} />}
      {isEmpty && fresh.length === 0 && empty}
      {entries.length > 0 && (
        <ul class="rows" aria-label={label}>
          {entries.map((entry) => (
            <li key={entry.id}>{row(entry)}</li>
          ))}
        </ul>
      )}
      {note}
      {hasMore && (
        <p class="more">
          <Button isBusy={isLoading} onClick={more}>
            {listTexts.more}
          </Button>
        </p>
      )}
    </>
  );
}
