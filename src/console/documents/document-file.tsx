import type { components } from '@docmill/client';
import { Download, FileText } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useDocmill } from '../session/session.ts';
import { documentTexts } from '../texts/documents.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes, formatTime } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { ErrorNote } from '../ui/states.tsx';

const contentTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** The file of a document, or why there is none. */
export function DocumentFile({ job }: { readonly job: components['schemas']['Job'] }) {
  const docmill = useDocmill();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const download = async (): Promise<void> => {
    setIsBusy(true);
    setError(undefined);
    try {
      const bytes = await docmill.jobs.download(job.id);
      saveFile(new Blob([bytes], { type: contentTypes[job.format] }), job.filename);
    } catch (failure) {
      setError(failure);
    }
    setIsBusy(false);
  };
  const hasFile = job.status === 'succeeded';
  return (
    <section class="card document-file">
      <h2>{documentTexts.file}</h2>
      <div class="paper" data-format={job.format} data-empty={!hasFile}>
        <FileText aria-hidden="true" />
        <span>{job.format.toUpperCase()}</span>
      </div>
      <p class="file-name">{job.filename}</p>
      <p class="muted small">{aboutFile(job)}</p>
      {hasFile && (
        <Button variant="primary" icon={<Download />} isBusy={isBusy} onClick={() => void download()}>
          {documentTexts.download}
        </Button>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </section>
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
