import { ApiError, type components } from '@docmill/client';
import { Download, FileText } from 'lucide-preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { useDocmill } from '../session/session.ts';
import { documentTexts } from '../texts/documents.ts';
import { Button } from '../ui/button.tsx';
import { contentTypes } from '../ui/content-types.ts';
import { formatBytes, formatTime } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { useLoad } from '../ui/use-load.ts';

/** The file of a document, or the reason why there is none. */
export function DocumentFile({ job }: { readonly job: components['schemas']['Job'] }) {
  const docmill = useDocmill();
  const { run, isBusy, error } = useAction(async () => {
    const bytes = await docmill.jobs.download(job.id);
    saveFile(new Blob([bytes], { type: contentTypes[job.format] }), job.filename);
  });
  const [hasNoPages, setHasNoPages] = useState(false);
  const isGone = hasNoPages || isMissing(error);
  const hasFile = job.status === 'succeeded';
  return (
    <section class="card document-file">
      <h2>{documentTexts.file}</h2>
      {hasFile && job.format === 'pdf' && !isGone ? (
        <PdfPages job={job} onGone={() => setHasNoPages(true)} />
      ) : (
        <div class="file-picture" data-empty={!hasFile || isGone}>
          <FileText aria-hidden="true" />
          <span>{job.format.toUpperCase()}</span>
        </div>
      )}
      <p class="file-name">{job.filename}</p>
      <p class="muted small">{isGone ? documentTexts.fileExpired : aboutFile(job)}</p>
      {hasFile && !isGone && (
        <Button variant="primary" icon={<Download />} isBusy={isBusy} onClick={() => run()}>
          {documentTexts.download}
        </Button>
      )}
      {error !== undefined && !isGone && <ErrorNote error={error} />}
    </section>
  );
}

/** Documents sent with the response are not stored; others are stored for a limited time. */
const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const PdfViewer = lazy(() => import('../pdf/pdf-viewer.tsx'));

interface PdfPagesProps {
  readonly job: components['schemas']['Job'];
  readonly onGone: () => void;
}

/** The pages of a PDF. A file that is no longer stored is not an error: the facts and the receipt remain. */
function PdfPages({ job, onGone }: PdfPagesProps) {
  const docmill = useDocmill();
  const { value, error, reload } = useLoad((signal) => docmill.jobs.download(job.id, { signal }), job.id);
  const isGone = isMissing(error);
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone]);
  if (error !== undefined && !isGone) return <ErrorNote error={error} onRetry={reload} />;
  const waiting = <Skeleton lines={6} />;
  return (
    <div class="document-pages">
      <Suspense fallback={waiting}>
        <PdfViewer bytes={value} label={job.filename} empty={waiting} />
      </Suspense>
    </div>
  );
}

function aboutFile({ status, finishedAt, size, pages, expiresAt }: components['schemas']['Job']): string {
  if (finishedAt === undefined) return documentTexts.fileWaiting;
  if (status !== 'succeeded') return documentTexts.fileNone;
  return [
    pages !== undefined && documentTexts.pages(pages),
    size !== undefined && formatBytes(size),
    expiresAt !== undefined && documentTexts.fileUntil(formatTime(expiresAt)),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}
