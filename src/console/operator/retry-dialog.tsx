import { useState } from 'preact/hooks';
import { operatorTexts } from '../texts/operator.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { useAdmin } from './operator-session.ts';

/** What an id can be of, with what happens to it. */
const kinds = [
  ['doc_', 'document', operatorTexts.retryDocument],
  ['bat_', 'batch', operatorTexts.retryBatch],
  ['dlv_', 'delivery', operatorTexts.retryDelivery],
] as const;

/** Produces a document or a batch again, or sends an e-mail again, by its id. */
export function RetryDialog({ onClose }: { readonly onClose: () => void }) {
  const admin = useAdmin();
  const [id, setId] = useState('');
  const kind = kinds.find(([prefix]) => id.trim().startsWith(prefix));
  const { run, isBusy, error } = useAction(async () => {
    if (kind === undefined) throw new Error(operatorTexts.retryPrefix);
    await admin.operations.retry({ [kind[1]]: id.trim() });
    showToast(operatorTexts.wasQueued);
    onClose();
  });
  return (
    <Dialog title={operatorTexts.retryTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <p>{operatorTexts.retryText}</p>
        <TextField
          label={operatorTexts.retryLabel}
          hint={kind?.[2]}
          value={id}
          rows={1}
          error={undefined}
          onValue={setId}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {operatorTexts.retry}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
