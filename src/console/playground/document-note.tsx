import type { components, Docmill, Document } from '@docmill/client';
import { CircleCheck, X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { playgroundTexts } from '../texts/playground.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { ReceiptDialog } from './receipt-dialog.tsx';

export interface MadeDocument {
  readonly document: Document;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly warnings: readonly components['schemas']['DocumentWarning'][];
}

interface DocumentNoteProps {
  readonly docmill: Docmill;
  readonly made: MadeDocument;
  readonly onClose: () => void;
}

/** Describes a generated document: the file, its timings, warnings, and its receipt. */
export function DocumentNote({ docmill, made, onClose }: DocumentNoteProps) {
  const [hasReceipt, setHasReceipt] = useState(false);
  const { document, bytes, warnings } = made;
  const steps = Object.entries(document.timings).filter(([step]) => step !== 'total');
  return (
    <div class="note" role="status">
      <CircleCheck aria-hidden="true" />
      <div class="made">
        <p>
          <strong>{document.filename}</strong> · {formatBytes(bytes.length)} ·{' '}
          {formatDuration(document.timings.total ?? 0)}
          {document.emailDeliveryId !== undefined && ` · ${playgroundTexts.mailed}`}
        </p>
        <p class="muted small">
          {steps.map(([step, ms]) => `${playgroundTexts.steps[step] ?? step} ${formatDuration(ms)}`).join(' · ')} ·{' '}
          {document.id}
        </p>
        {warnings.length > 0 && (
          <ul>
            {warnings.map(({ code, message, context }) => (
              <li key={code + message}>
                {message}
                {context !== undefined && <span class="muted"> {context}</span>}
              </li>
            ))}
          </ul>
        )}
        <div class="actions">
          <Button onClick={() => saveFile(new Blob([bytes], { type: document.contentType }), document.filename)}>
            {playgroundTexts.download}
          </Button>
          <Button onClick={() => setHasReceipt(true)}>{playgroundTexts.receipt}</Button>
        </div>
      </div>
      <IconButton label={playgroundTexts.dismiss} icon={<X />} onClick={onClose} />
      {hasReceipt && <ReceiptDialog docmill={docmill} id={document.id} onClose={() => setHasReceipt(false)} />}
    </div>
  );
}
