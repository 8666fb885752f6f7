import { isTestKey } from '../session/session.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import type { FormActions } from './form-actions.ts';
import { emailFields } from './options-schema.ts';
import { SchemaFields } from './schema-fields.tsx';

const recipients = emailFields.filter(({ name }) => name === 'to');
const otherFields = emailFields.filter(({ name }) => name !== 'to');

interface EmailDialogProps {
  readonly value: unknown;
  readonly actions: FormActions;
  readonly onSend: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the recipients and the message. Errors are shown in the dialog, next to their field. */
export function EmailDialog({ value, actions, onSend, onClose }: EmailDialogProps) {
  const { run, isBusy, error } = useAction(async () => {
    await onSend();
    showToast(isTestKey.value ? playgroundTexts.testEmailSent : playgroundTexts.emailSent);
    onClose();
  });
  return (
    <Dialog title={playgroundTexts.sendByEmail} onClose={onClose}>
      <p class="muted small">{isTestKey.value ? playgroundTexts.testEmailText : playgroundTexts.emailText}</p>
      {[recipients, otherFields].map((fields, index) => (
        <SchemaFields key={index} fields={fields} value={value} path={['output', 'email']} actions={actions} />
      ))}
      {error !== undefined && <ErrorNote error={error} />}
      <footer>
        <Button onClick={onClose}>{shellTexts.cancel}</Button>
        <Button variant="primary" isBusy={isBusy} onClick={() => run()}>
          {playgroundTexts.send}
        </Button>
      </footer>
    </Dialog>
  );
}
