import type { Docmill } from '@docmill/client';
import { playgroundTexts } from '../texts/playground.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatTime } from '../ui/format.ts';
import { saveReceipt } from '../ui/save-receipt.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';

interface ReceiptDialogProps {
  readonly docmill: Docmill;
  readonly id: string;
  readonly onClose: () => void;
}

/**
 * The receipt of a document: which template, data and options produced which bytes, signed if the operator configured a
 * key.
 */
export function ReceiptDialog({ docmill, id, onClose }: ReceiptDialogProps) {
  const { value, error, reload } = useLoad((signal) => docmill.jobs.receipt(id, { signal }), id);
  return (
    <Dialog title={playgroundTexts.receiptTitle} onClose={onClose}>
      <p class="muted">{playgroundTexts.receiptText}</p>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton lines={5} />}
      {value !== undefined && (
        <>
          <Facts layout="lines" facts={factsOf(value)} />
          <footer>
            <Button variant="primary" onClick={() => saveReceipt(value)}>
              {playgroundTexts.downloadReceipt}
            </Button>
          </footer>
        </>
      )}
    </Dialog>
  );
}

function factsOf({ receipt, signature }: Awaited<ReturnType<Docmill['jobs']['receipt']>>) {
  const { template, data, result, acceptedAt } = receipt;
  const { approval } = template;
  return [
    [playgroundTexts.receiptTemplate, `${template.id} · ${playgroundTexts.version(template.version)}`],
    [
      approval?.overrideReason === undefined ? playgroundTexts.receiptApproval : playgroundTexts.receiptOverride,
      approval &&
        [approval.name ?? approval.keyId, formatTime(approval.at), approval.overrideReason].filter(Boolean).join(' · '),
    ],
    [playgroundTexts.receiptData, <code>{data.sha256}</code>],
    [playgroundTexts.receiptFile, <code>{result.sha256}</code>],
    [playgroundTexts.receiptAccepted, formatTime(acceptedAt)],
    [playgroundTexts.receiptSignature, signature === undefined ? playgroundTexts.notSigned : playgroundTexts.signed],
  ] as const;
}
