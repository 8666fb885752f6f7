import '../batches.css';
import { WifiOff } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { hasScope, useDocmill } from '../../session/session.ts';
import { shownName, useTemplateNames } from '../../session/use-template-names.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatTime } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { BatchBadge } from '../status-badge.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { BatchRows } from './batch-rows.tsx';
import { Downloads } from './downloads.tsx';
import { FailedRows } from './failed-rows.tsx';
import { type Batch, hasEnded } from './follow-batch.ts';
import { useBatch } from './use-batch.ts';

export default function BatchPage() {
  const { id = '' } = useParams();
  const { batch, connection, error, restart } = useBatch(id);
  if (batch === undefined) {
    return (
      <>
        <PageHeader title={batchTexts.title} parent={<Link href="/batches">{batchTexts.title}</Link>} />
        {connection === 'lost' && <LostConnection />}
        {error === undefined ? <Skeleton lines={6} /> : <ErrorNote error={error} onRetry={restart} />}
      </>
    );
  }
  const isEnded = hasEnded(batch);
  // Reloads the lists of rows when the batch finishes again, as after a retry.
  const edition = batch.finishedAt ?? '';
  return (
    <>
      <BatchHeader batch={batch} onChange={restart} />
      {connection === 'lost' && <LostConnection />}
      {connection === 'polling' && !isEnded && <p class="note warn small">{batchTexts.polling}</p>}
      <BatchProgress batch={batch} />
      {isEnded && <Downloads batch={batch} />}
      {isEnded && batch.counts.failed > 0 && <FailedRows key={edition} batch={batch} onRetried={restart} />}
      {batch.warnings.length > 0 && <Warnings batch={batch} />}
      {isEnded && <BatchRows key={`rows ${edition}`} batch={batch} />}
    </>
  );
}

function LostConnection() {
  return (
    <div class="note bad" role="alert">
      <WifiOff aria-hidden="true" />
      <p>{batchTexts.lost}</p>
    </div>
  );
}

function BatchHeader({ batch, onChange }: { readonly batch: Batch; readonly onChange: () => void }) {
  const docmill = useDocmill();
  const [isAsking, setIsAsking] = useState(false);
  const names = useTemplateNames([batch.templateId]);
  return (
    <>
      <PageHeader
        title={batchTexts.batchTitle(shownName(names, batch.templateId))}
        parent={<Link href="/batches">{batchTexts.title}</Link>}
        about={
          <>
            <BatchBadge status={batch.status} failedRows={batch.counts.failed} /> {batchTexts.rows(batch.rows)} ·{' '}
            {batchTexts.outputOf(batch.format, batchTexts.bundles[batch.bundle])} ·{' '}
            {batchTexts.version(batch.templateVersion)} · <Time value={batch.createdAt} isExact />
            {batch.expiresAt !== undefined && ` · ${expiryOf(batch.expiresAt)}`}
            <br />
            <code>{batch.id}</code>
          </>
        }
      >
        {!hasEnded(batch) && hasScope('generate') && (
          <Button onClick={() => setIsAsking(true)}>{batchTexts.cancelBatch}</Button>
        )}
      </PageHeader>
      {isAsking && (
        <ConfirmDialog
          isDestructive
          title={batchTexts.cancelTitle}
          text={batchTexts.cancelText}
          action={batchTexts.cancelAction}
          onConfirm={async () => {
            await docmill.batches.cancel(batch.id);
            onChange();
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function expiryOf(expiresAt: string): string {
  if (Date.parse(expiresAt) < Date.now()) return batchTexts.expired;
  return `${batchTexts.expires} ${formatTime(expiresAt)}`;
}

function Warnings({ batch }: { readonly batch: Batch }) {
  return (
    <section class="card step" aria-label={batchTexts.warningsTitle}>
      <h2>{batchTexts.warningsTitle}</h2>
      <ul class="warnings">
        {batch.warnings.map(({ code, message, rows }) => (
          <li key={`${code} ${message}`}>
            {message} <span class="muted small">{batchTexts.warningRows(rows)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
