import './pictures.css';
import { Image, SearchX, Upload } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { serviceUrl } from '../session/addresses.ts';
import { listKept } from '../session/kept-data.ts';
import { accountId, hasScope, useDocmill } from '../session/session.ts';
import { pictureTexts } from '../texts/pictures.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DropOverlay } from '../ui/drop-overlay.tsx';
import { ListStart } from '../ui/list-start.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { EmptyState, Skeleton } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useFilters } from '../ui/use-filters.ts';
import { usePageDrop } from '../ui/use-page-drop.ts';
import { usePages } from '../ui/use-pages.ts';
import { namedBy } from './named-by.ts';
import { PictureCard, type PictureChange } from './picture-card.tsx';
import { RenamePictureDialog } from './rename-picture-dialog.tsx';
import type { Asset } from './stored-picture.tsx';
import { UploadPictureDialog } from './upload-picture-dialog.tsx';

const pageSize = 24;
const filterNames = ['search'] as const;

type Open =
  | { readonly change: 'upload'; readonly dropped?: File }
  | { readonly change: PictureChange; readonly asset: Asset };

export default function PictureListPage() {
  const docmill = useDocmill();
  const { values, isFiltered, set, clear } = useFilters(filterNames);
  const canWrite = hasScope('templates:write');
  const [open, setOpen] = useState<Open>();
  const pages = usePages(
    (signal) => docmill.assets.list(isFiltered ? { name: values.search } : {}, { signal }),
    pageSize,
    values.search,
  );
  const { entries, isLoading, isEmpty, reload } = pages;
  const isOver = usePageDrop(canWrite ? (file) => setOpen({ change: 'upload', dropped: file }) : undefined);
  const upload = () => setOpen({ change: 'upload' });
  return (
    <>
      <PageHeader title={pictureTexts.title} about={pictureTexts.about}>
        {canWrite && (
          <Button variant="primary" icon={<Upload />} onClick={upload}>
            {pictureTexts.upload}
          </Button>
        )}
      </PageHeader>
      {(isFiltered || !isEmpty) && (
        <search class="filters">
          <div class="wide">
            <SearchField label={pictureTexts.search} value={values.search} onSearch={(search) => set({ search })} />
          </div>
        </search>
      )}
      <ListStart
        pages={pages}
        loading={<Skeleton lines={4} />}
        empty={
          isFiltered ? (
            <EmptyState title={pictureTexts.noneFound} icon={<SearchX aria-hidden="true" />}>
              <p>{pictureTexts.noneFoundText(values.search)}</p>
              <Button onClick={clear}>{pictureTexts.clearSearch}</Button>
            </EmptyState>
          ) : (
            <EmptyState title={pictureTexts.emptyTitle} icon={<Image aria-hidden="true" />}>
              <p>{canWrite ? pictureTexts.emptyText : pictureTexts.emptyReadOnly}</p>
              <a href={`${serviceUrl}/guide/reference/template-language.html#pictures-and-barcodes`}>
                {pictureTexts.howTo}
              </a>
            </EmptyState>
          )
        }
      />
      {entries.length > 0 && (
        <ul class="picture-cards" aria-label={pictureTexts.list} aria-busy={isLoading}>
          {entries.map((asset) => (
            <PictureCard key={asset.id} asset={asset} onChange={(change) => setOpen({ change, asset })} />
          ))}
        </ul>
      )}
      <MoreButton hasMore={pages.hasMore} isBusy={isLoading} onMore={pages.more} />
      {open !== undefined && <OpenDialog open={open} onDone={reload} onClose={() => setOpen(undefined)} />}
      {isOver && <DropOverlay text={pictureTexts.drop} />}
    </>
  );
}

interface OpenDialogProps {
  readonly open: Open;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function OpenDialog({ open, ...ends }: OpenDialogProps) {
  const docmill = useDocmill();
  if (open.change === 'upload') return <UploadPictureDialog key={open.dropped} dropped={open.dropped} {...ends} />;
  const { change, asset } = open;
  if (change === 'replace') return <UploadPictureDialog replaces={asset} {...ends} />;
  if (change === 'rename') return <RenamePictureDialog asset={asset} {...ends} />;
  const uses = namedBy(asset, listKept(accountId.value ?? ''));
  return (
    <ConfirmDialog
      isDestructive
      title={pictureTexts.removeTitle(asset.name)}
      text={[pictureTexts.removeText, ...(uses.length > 0 ? [pictureTexts.removeKept(uses)] : [])].join(' ')}
      action={pictureTexts.removeAction}
      onConfirm={async () => {
        await docmill.assets.delete(asset.id, { ifMatch: `"${asset.checksum}"` });
        showToast(pictureTexts.removed(asset.name));
        ends.onDone();
      }}
      onClose={ends.onClose}
    />
  );
}
