import { CopyPlus } from 'lucide-preact';
import { lazy, Suspense } from 'preact/compat';
import { hasScope, useDocmill } from '../../session/session.ts';
import { galleryTexts } from '../../texts/gallery.ts';
import { shellTexts } from '../../texts/shell.ts';
import { BusyBar } from '../../ui/busy-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { type GalleryEntry, galleryAddress } from './gallery-entries.ts';
import { loadEntry } from './load-entry.ts';
import { useCopy } from './use-copy.ts';

const PdfViewer = lazy(() => import('../../pdf/pdf-viewer.tsx'));

/** The page limit of a preview. */
const shownPages = 20;

interface PreviewDialogProps {
  readonly entry: GalleryEntry;
  readonly onClose: () => void;
}

/** The pages of a template of the gallery with its data. A key that may not make previews sees the first page only. */
export function PreviewDialog({ entry, onClose }: PreviewDialogProps) {
  const docmill = useDocmill();
  const canDraw = hasScope('generate');
  const { value, error, isLoading, reload } = useLoad(async (signal) => {
    if (!canDraw) return undefined;
    const { file, data } = await loadEntry(entry, signal);
    const request = { data, preview: { format: 'pdf', pages: shownPages } } as const;
    return await docmill.templates.previewFile(file, request, { signal });
  }, `${entry.kind} ${entry.language}`);
  const copy = useCopy();
  const picture = galleryAddress(entry, 'page.webp');
  return (
    <Dialog title={entry.title} onClose={onClose} isLarge>
      <p class="muted" lang={entry.language}>
        {entry.about}
      </p>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {copy.error !== undefined && <ErrorNote error={copy.error} />}
      <div class="gallery-pages" aria-busy={isLoading}>
        {value === undefined ? (
          <img class="gallery-page" src={picture} alt={galleryTexts.firstPage(entry.title)} />
        ) : (
          <Suspense fallback={<Skeleton lines={6} />}>
            <PdfViewer bytes={value.bytes} label={galleryTexts.pages(entry.title)} totalPages={value.pageCount} />
          </Suspense>
        )}
      </div>
      {copy.isBusy && <BusyBar text={galleryTexts.copying} />}
      <footer>
        <Button onClick={onClose}>{shellTexts.close}</Button>
        {hasScope('templates:write') && (
          <Button variant="primary" icon={<CopyPlus />} isBusy={copy.isBusy} onClick={() => copy.run(entry)}>
            {galleryTexts.use}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
