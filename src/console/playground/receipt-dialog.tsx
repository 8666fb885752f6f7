import type { Docmill } from '@docmill/client';
import { playgroundTexts } from '../texts/playground.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatTime } from '../ui/format.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { saveFile } from './save-file.ts';

interface ReceiptDialogProps {
  readonly docmill: Docmill;
  readonly id: string;
  readonly onClose: () => void;
}

/** The receipt of a document: which template, data and options made which bytes, signed where the operator has a key. */
export function ReceiptDialog({ docmill, id, onClose }: ReceiptDialogProps) {
  const { value, error, reload } = useLoad((signal) => docmill.jobs.receipt(id, { signal }), id);
  return (
    <Dialog title={playgroundTexts.receiptTitle} onClose={onClose}>
      <p class="muted">{playgroundTexts.receiptText}</p>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton lines={5} />}
      {value !== undefined && (
        <>
          <dl class="facts">
            <dt>{playgroundTexts.receiptTemplate}</dt>
            <dd>
              {value.receipt.template.id} · {playgroundTexts.version(value.receipt.template.version)}
            </dd>
            <dt>{playgroundTexts.receiptData}</dt>
            <dd class="mono">{value.receipt.data.sha256}</dd>
            <dt>{playgroundTexts.receiptFile}</dt>
            <dd class="mono">{value.receipt.result.sha256}</dd>
            <dt>{playgroundTexts.receiptAccepted}</dt>
            <dd>{formatTime(value.receipt.acceptedAt)}</dd>
            <dt>{playgroundTexts.receiptSignature}</dt>
            <dd>{value.signature === undefined ? playgroundTexts.notSigned : playgroundTexts.signed}</dd>
          </dl>
          <footer>
            <Button
              variant="primary"
              onClick={() => saveFile(`${id}.receipt.json`, JSON.stringify(value, null, 2), 'application/json')}
            >
              {playgroundTexts.downloadReceipt}
            </Button>
          </footer>
        </>
      )}
    </Dialog>
  );
}
