import type { Docmill } from '@docmill/client';
import { useState } from 'preact/hooks';
import { type Asset, isPictureType, StoredPicture } from '../pictures/stored-picture.tsx';
import { playgroundTexts } from '../texts/playground.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ListStart } from '../ui/list-start.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Skeleton } from '../ui/states.tsx';
import { usePages } from '../ui/use-pages.ts';

const { picture: texts } = playgroundTexts;
const pageSize = 24;

interface PictureDialogProps {
  readonly docmill: Docmill;
  readonly onPick: (name: string) => void;
  readonly onClose: () => void;
}

/** The stored pictures of the account, to pick one. */
export function PictureDialog({ docmill, onPick, onClose }: PictureDialogProps) {
  const [search, setSearch] = useState('');
  const pages = usePages(
    (signal) => docmill.assets.list(search === '' ? {} : { name: search }, { signal }),
    pageSize,
    `pictures ${search}`,
  );
  return (
    <Dialog title={texts.dialogTitle} onClose={onClose} isLarge>
      <SearchField value={search} onSearch={setSearch} />
      <ListStart
        pages={pages}
        loading={<Skeleton lines={3} />}
        empty={<p class="muted">{search === '' ? texts.noneStored : texts.noneFound}</p>}
      />
      <ul class="picture-choices" aria-label={texts.dialogTitle} aria-busy={pages.isLoading}>
        {pages.entries
          .filter(({ type }) => isPictureType(type))
          .map((asset: Asset) => (
            <li key={asset.id}>
              <button type="button" class="picture-choice" onClick={() => onPick(asset.name)}>
                <StoredPicture docmill={docmill} asset={asset} />
                <span class="breaks">{asset.name}</span>
              </button>
            </li>
          ))}
      </ul>
      <MoreButton hasMore={pages.hasMore} isBusy={pages.isLoading} onMore={pages.more} />
    </Dialog>
  );
}
