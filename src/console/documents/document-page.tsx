import type { components } from '@docmill/client';
import { Ban, Download, Play } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { hasScope, useDocmill } from '../session/session.ts';
import { documentTexts } from '../texts/documents.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import '../ui/rows.css';
import { saveReceipt } from '../ui/save-receipt.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { useLoad } from '../ui/use-load.ts';
import { usePolling } from '../ui/use-polling.ts';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentFailure } from './document-failure.tsx';
import { DocumentFile } from './document-file.tsx';
import { DocumentStatus } from './document-status.tsx';
import { DocumentTimeline } from './document-timeline.tsx';
import { ConformanceResults, DocumentWarnings } from './document-warnings.tsx';
import './documents.css';
import { timelineOf } from './timeline.ts';

type Job = components['schemas']['Job'];

const everyMs = 2_000;

export default function DocumentPage() {
  const { id } = useParams<{ id: string }>();
  const docmill = useDocmill();
  const { value: job, error, reload } = useLoad((signal) => docmill.jobs.get(id, { signal }), id);
  const isOpen = job !== undefined && job.finishedAt === undefined;
  const endedAt = job?.finishedAt;
  // The e-mails and webhook events of a document are recorded when it reaches its final state.
  const entries = useLoad(
    async (signal) => (endedAt === undefined ? undefined : docmill.jobs.timeline(id, { signal })),
    `${id} ${endedAt}`,
  );
  const isSending = entries.value?.some(({ finishedAt }) => finishedAt === undefined);
  usePolling(
    async () => {
      reload();
      if (endedAt !== undefined) entries.reload();
    },
    { everyMs, isOn: isOpen || isSending === true },
  );
  const parent = <Link href="/documents">{documentTexts.title}</Link>;
  if (job === undefined) {
    return (
      <>
        <PageHeader title={shellTexts.documents} parent={parent} />
        {error === undefined ? <Skeleton lines={8} /> : <ErrorNote error={error} onRetry={reload} />}
      </>
    );
  }
  return (
    <>
      <PageHeader title={job.filename} parent={parent} about={<DocumentStatus status={job.status} />}>
        <DocumentActions job={job} onChange={reload} />
      </PageHeader>
      <div class="sections">
        {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
        {entries.error !== undefined && <ErrorNote error={entries.error} onRetry={entries.reload} />}
        <DocumentFailure job={job} />
        <div class="document-columns">
          <DocumentFile job={job} />
          <div class="sections">
            <section class="card">
              <h2>{documentTexts.timeline}</h2>
              <DocumentTimeline timeline={timelineOf(job, entries.value)} nowMs={Date.now()} />
            </section>
            <DocumentWarnings warnings={job.warnings} />
            <ConformanceResults conformance={job.conformance} />
            <DocumentFacts job={job} />
          </div>
        </div>
      </div>
    </>
  );
}

function DocumentActions({ job, onChange }: { readonly job: Job; readonly onChange: () => void }) {
  const docmill = useDocmill();
  const [isAsking, setIsAsking] = useState(false);
  const playground = `/templates/${job.templateId}/playground?version=${job.templateVersion}`;
  return (
    <>
      {job.status === 'queued' && hasScope('generate') && (
        <Button icon={<Ban />} onClick={() => setIsAsking(true)}>
          {documentTexts.cancel}
        </Button>
      )}
      {hasScope('templates:read') && hasScope('generate') && (
        <Link class="button plain" href={playground}>
          <Play aria-hidden="true" />
          {documentTexts.again}
        </Link>
      )}
      {job.status === 'succeeded' && <ReceiptButton id={job.id} />}
      {isAsking && (
        <ConfirmDialog
          isDestructive
          title={documentTexts.cancelTitle}
          text={documentTexts.cancelText}
          action={documentTexts.cancel}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await docmill.jobs.cancel(job.id);
            showToast(documentTexts.cancelled);
            onChange();
          }}
        />
      )}
    </>
  );
}

function ReceiptButton({ id }: { readonly id: string }) {
  const docmill = useDocmill();
  const { run, isBusy, error } = useAction(async () => saveReceipt(await docmill.jobs.receipt(id)));
  return (
    <>
      <Button icon={<Download />} isBusy={isBusy} title={documentTexts.receiptHint} onClick={() => run()}>
        {documentTexts.receipt}
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}
