import './templates.css';
import { FileText, SearchX, Upload } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import exampleUrl from '../../../examples/invoice.docx?url';
import { serviceUrl } from '../session/addresses.ts';
import { hasScope, useDocmill } from '../session/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { templateTexts, uploadTexts } from '../texts/templates.ts';
import { Button } from '../ui/button.tsx';
import { DropOverlay } from '../ui/drop-overlay.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { DroppedFile } from '../ui/read-drop.ts';
import { SearchBox, useSearchText } from '../ui/search-box.tsx';
import { EmptyState, ErrorNote } from '../ui/states.tsx';
import { usePageDrop } from '../ui/use-page-drop.ts';
import { usePages } from '../ui/use-pages.ts';
import { UploadDialog } from './dialogs/upload-dialog.tsx';
import { PagePlaceholder } from './page-placeholder.tsx';
import { TemplateCard } from './template-card.tsx';
import { useStatistics } from './use-statistics.ts';

const pageSize = 24;
const exampleName = 'invoice.docx';

export default function TemplateListPage() {
  const docmill = useDocmill();
  const text = useSearchText();
  const canUpload = hasScope('templates:write');
  const [upload, setUpload] = useState<{ readonly dropped?: DroppedFile }>();
  const { entries, error, isLoading, hasMore, more, reload } = usePages(
    (signal) => docmill.templates.list({ name: text === '' ? undefined : text, limit: pageSize }, { signal }),
    pageSize,
    text,
  );
  const isOver = usePageDrop(canUpload ? (file, handle) => setUpload({ dropped: { file, handle } }) : undefined);
  const statistics = useStatistics(entries.map(({ id }) => id));
  const isNone = !isLoading && error === undefined && entries.length === 0;
  return (
    <>
      <PageHeader title={templateTexts.title} about={templateTexts.about}>
        {canUpload && (
          <Button variant="primary" icon={<Upload />} onClick={() => setUpload({})}>
            {templateTexts.upload}
          </Button>
        )}
      </PageHeader>
      {!(isNone && text === '') && <SearchBox label={templateTexts.search} />}
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isNone && text === '' && <NoTemplates canUpload={canUpload} onFile={(dropped) => setUpload({ dropped })} />}
      {isNone && text !== '' && (
        <EmptyState title={templateTexts.noneFound} icon={<SearchX aria-hidden="true" />}>
          <p>{templateTexts.noneFoundText(text)}</p>
          <Link class="button plain" href="/templates">
            {templateTexts.clearSearch}
          </Link>
        </EmptyState>
      )}
      {isLoading && entries.length === 0 ? (
        <LoadingCards />
      ) : (
        <ul class="template-cards" aria-label={templateTexts.list} aria-busy={isLoading}>
          {entries.map((template) => (
            <TemplateCard key={template.id} template={template} statistics={statistics.get(template.id)} />
          ))}
        </ul>
      )}
      {hasMore && (
        <p class="more">
          <Button isBusy={isLoading} onClick={more}>
            {shellTexts.more}
          </Button>
        </p>
      )}
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
  const [error, setError] = useState<unknown>();
  const tryExample = async (): Promise<void> => {
    try {
      const response = await fetch(new URL(exampleUrl, import.meta.url));
      if (!response.ok) throw new Error(templateTexts.noExample);
      onFile({ file: new File([await response.blob()], exampleName) });
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <EmptyState title={templateTexts.emptyTitle} icon={<FileText aria-hidden="true" />}>
      <p>{canUpload ? templateTexts.emptyText : templateTexts.emptyReadOnly}</p>
      {canUpload && (
        <div class="first-template">
          <Dropzone
            label={uploadTexts.choose}
            hint={uploadTexts.chooseHint}
            accept=".docx"
            onFile={(file, handle) => onFile({ file, handle })}
          />
          <p class="muted">{templateTexts.or}</p>
          <Button onClick={() => void tryExample()}>{templateTexts.tryExample}</Button>
        </div>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <a href={`${serviceUrl}/guide/guides/getting-started.html`}>{templateTexts.howTo}</a>
    </EmptyState>
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
