import { ArrowUp } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { listTexts } from '../texts/lists.ts';
import { Button } from './button.tsx';
import { ListStart } from './list-start.tsx';
import { MoreButton } from './more-button.tsx';
import './rows.css';
import { Skeleton } from './states.tsx';
import type { LivePages } from './use-live-list.ts';

interface LiveRowsProps<T> {
  readonly pages: LivePages<T>;
  /** Named by the heading of the page when there is one. */
  readonly label: string;
  /** Shown if there are no rows. */
  readonly empty: ComponentChildren;
  /** Shown below the last row, such as why a search ended early. */
  readonly note?: ComponentChildren;
  readonly row: (entry: T) => ComponentChildren;
}

/** The rows of a list that updates itself, with its loading, empty and error states. */
export function LiveRows<T extends { readonly id: string }>({ pages, label, empty, note, row }: LiveRowsProps<T>) {
  const { entries, error, isLoading, hasMore, more, fresh, showFresh, isOutdated } = pages;
  return (
    <>
      <div class="live-line">
        <span role="status">
          {error === undefined && isOutdated && listTexts.outdated}
          {error === undefined && !isOutdated && (
            <>
              <span class="live-dot" aria-hidden="true" />
              {listTexts.live}
            </>
          )}
        </span>
        <span role="status">
          {fresh.length > 0 && (
            <Button variant="quiet" icon={<ArrowUp />} onClick={showFresh}>
              {listTexts.fresh(fresh.length)}
            </Button>
          )}
        </span>
      </div>
      <ListStart pages={pages} loading={<Skeleton lines={8} />} empty={fresh.length === 0 && empty} />
      {entries.length > 0 && (
        <ul class="rows" aria-label={label}>
          {entries.map((entry) => (
            <li key={entry.id}>{row(entry)}</li>
          ))}
        </ul>
      )}
      {note}
      <MoreButton hasMore={hasMore} isBusy={isLoading} onMore={more} />
    </>
  );
}
