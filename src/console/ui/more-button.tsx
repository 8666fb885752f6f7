import { listTexts } from '../texts/lists.ts';
import { Button } from './button.tsx';

interface MoreButtonProps {
  readonly hasMore: boolean;
  readonly isBusy?: boolean;
  readonly onMore: () => void;
}

/** The button at the end of a partially loaded list. */
export function MoreButton({ hasMore, isBusy = false, onMore }: MoreButtonProps) {
  if (!hasMore) return null;
  return (
    <p class="more">
      <Button isBusy={isBusy} onClick={onMore}>
        {listTexts.more}
      </Button>
    </p>
  );
}
