import './templates.css';
import { FileText, LayoutTemplate, SearchX, Upload } from 'lucide-preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { serviceUrl } from '../session/addresses.ts';
import { hasScope, useDocmill } from '../session/session.ts';
import { galleryTexts } from '../texts/gallery.ts';
import { shellTexts } from '../texts/shell.ts';
import { templateTexts, uploadTexts } from '../texts/templates.ts';
import { Button } from '../ui/button.tsx';
import { DropOverlay } from '../ui/drop-overlay.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { ListStart } from '../ui/list-start.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { DroppedFile } from '../ui/read-drop.ts';
import { SearchField } from '../ui/search-field.tsx';
import { EmptyState, Skeleton } from '../ui/states.tsx';
import { useFilters } from '../ui/use-filters.ts';
import { usePageDrop } from '../ui/use-page-drop.ts';
import { usePages } from '../ui/use-pages.ts';
import { templateFileEndings } from './check-template-file.ts';
import { UploadDialog } from './dialogs/upload-dialog.tsx';
import { PagePlaceholder } from './page-placeholder.tsx';
import { TemplateCard } from './template-card.tsx';
import { useStatistics } from './use-statistics.ts';

const pageSize = 24;
const filterNames = ['search'] as const;

const Gallery = lazy(() => import('./gallery/gallery.tsx'));

export default function TemplateListPage() {
  const docmill = useDocmill();
  const { values, isFiltered, set, clear } = useFilters(filterNames);
  const canUpload = hasScope('templates:write');
  const [upload, setUpload] = useState<{ readonly dropped?: DroppedFile }>();
  // The command palette opens the upload by this address.
  const [query, setQuery] = useSearchParams();
  const isAsked = canUpload && query.has('upload');
  useEffect(() => {
    if (!isAsked) return;
    setUpload({});
    setQuery({}, { replace: true });
  }, [isAsked]);
  const pages = usePages(
    (signal) => docmill.templates.list({ name: isFiltered ? values.search : undefined, limit: pageSize }, { signal }),
    pageSize,
    values.search,
  );
  const { entries, isLoading, isEmpty } = pages;
  const isOver = usePageDrop(canUpload ? (file, handle) => setUpload({ dropped: { file, handle } }) : undefined);
  const statistics = useStatistics(entries.map(({ id }) => id));
  return (
    <>
      <PageHeader title={templateTexts.title} about={templateTexts.about}>
        {canUpload && (
          <>
            {(isFiltered || !isEmpty) && (
              <Link class="button plain" href="/templates/gallery">
                <LayoutTemplate aria-hidden="true" />
                {galleryTexts.open}
              </Link>
            )}
            <Button variant="primary" icon={<Upload />} onClick={() => setUpload({})}>
              {templateTexts.upload}
            </Button>
          </>
        )}
      </PageHeader>
      {(isFiltered || !isEmpty) && (
        <search class="filters">
          <div class="wide">
            <SearchField label={templateTexts.search} value={values.search} onSearch={(search) => set({ search })} />
          </div>
        </search>
      )}
      <ListStart
        pages={pages}
        loading={<LoadingCards />}
        empty={
          isFiltered ? (
            <EmptyState title={templateTexts.noneFound} icon={<SearchX aria-hidden="true" />}>
              <p>{templateTexts.noneFoundText(values.search)}</p>
              <Button onClick={clear}>{templateTexts.clearSearch}</Button>
            </EmptyState>
          ) : (
            <NoTemplates canUpload={canUpload} onFile={(dropped) => setUpload({ dropped })} />
          )
        }
      />
      {entries.length > 0 && (
        <ul class="template-cards" aria-label={templateTexts.list} aria-busy={isLoading}>
          {entries.map((template) => (
            <TemplateCard key={template.id} template={template} statistics={statistics.get(template.id) ?? undefined} />
          ))}
        </ul>
      )}
      <MoreButton hasMore={pages.hasMore} isBusy={isLoading} onMore={pages.more} />
      {upload !== undefined && (
        <UploadDialog
          key={upload.dropped?.file}
          {...(upload.dropped !== undefined && { dropped: upload.dropped })}
          onClose={() => setUpload(undefined)}
        />
      )}
      {isOver && <DropOverlay text={templateTexts.drop} />}
    </>
  );
}

interface NoTemplatesProps {
  readonly canUpload: boolean;
  readonly onFile: (dropped: DroppedFile) => void;
}

function NoTemplates({ canUpload, onFile }: NoTemplatesProps) {
  return (
    <>
      <EmptyState title={templateTexts.emptyTitle} icon={<FileText aria-hidden="true" />}>
        <p>{canUpload ? templateTexts.emptyText : templateTexts.emptyReadOnly}</p>
        {canUpload && (
          <div class="first-template">
            <Dropzone
              label={uploadTexts.choose}
              hint={uploadTexts.chooseHint}
              accept={templateFileEndings}
              onFile={(file, handle) => onFile({ file, handle })}
            />
          </div>
        )}
        <a href={`${serviceUrl}/guide/guides/getting-started.html`}>{templateTexts.howTo}</a>
      </EmptyState>
      {canUpload && (
        <>
          <h2>{galleryTexts.begin}</h2>
          <Suspense fallback={<Skeleton lines={6} />}>
            <Gallery />
          </Suspense>
        </>
      )}
    </>
  );
}

function LoadingCards() {
  return (
    <div class="template-cards" role="status" aria-label={shellTexts.loading}>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} class="template-card loading">
          <span class="thumbnail">
            <PagePlaceholder />
          </span>
        </div>
      ))}
    </div>
  );
}
