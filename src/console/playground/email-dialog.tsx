import { ApiError } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isObject } from '../json-editor/is-object.ts';
import { isTestKey } from '../session/session.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { RecipientsField } from '../ui/recipients-field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { type FormActions, pathKey } from './form-actions.ts';
import { emailFields, emailFilesForm } from './options-schema.ts';
import { SchemaFields } from './schema-fields.tsx';

const { email: texts } = playgroundTexts;
const emailPath = ['output', 'email'];

interface EmailDialogProps {
  readonly value: unknown;
  readonly actions: FormActions;
  readonly onSend: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the recipients and the message. An error is shown once: next to its field, or else below the fields. */
export function EmailDialog({ value, actions, onSend, onClose }: EmailDialogProps) {
  const email = isObject(value) ? value : {};
  const form = useRef<HTMLFormElement>(null);
  const [isWithoutRecipient, setIsWithoutRecipient] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await onSend();
    showToast(isTestKey.value ? playgroundTexts.testEmailSent : playgroundTexts.emailSent);
    onClose();
  });
  useEffect(() => {
    if (error !== undefined || isWithoutRecipient)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error, isWithoutRecipient]);
  const send = (): void => {
    const hasRecipient = Array.isArray(email.to) && email.to.length > 0;
    setIsWithoutRecipient(!hasRecipient);
    if (hasRecipient) run();
  };
  return (
    <Dialog title={playgroundTexts.sendByEmail} onClose={onClose}>
      <form
        class="form"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p class="muted small">{isTestKey.value ? playgroundTexts.testEmailText : playgroundTexts.emailText}</p>
        {emailFields.recipients.map((name) => (
          <RecipientsField
            key={name}
            label={texts[name]}
            hint={name === 'to' ? texts.toHint : undefined}
            value={email[name]}
            error={name === 'to' && isWithoutRecipient ? texts.noRecipient : problemOf(actions, name)}
            onValue={(next) => {
              setIsWithoutRecipient(false);
              actions.set([...emailPath, name], next);
            }}
          />
        ))}
        {emailFields.message.map((name) => (
          <TextField
            key={name}
            label={texts[name]}
            hint={texts.defaults}
            value={email[name]}
            rows={name === 'body' ? 6 : 1}
            error={problemOf(actions, name)}
            onValue={(text) => actions.set([...emailPath, name], text === '' ? undefined : text)}
          />
        ))}
        <SchemaFields fields={emailFilesForm} value={email} path={emailPath} actions={actions} />
        {error !== undefined && !isOfFields(error) && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {playgroundTexts.send}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The problems of a field and of the addresses in it. */
function problemOf({ problems }: FormActions, name: string): string | undefined {
  const key = pathKey([...emailPath, name]).slice(0, -1);
  const found = [...problems].flatMap(([path, message]) => (path.startsWith(key) ? [message] : []));
  return found.length === 0 ? undefined : [...new Set(found)].join(' ');
}

/** Whether all problems concern fields of the dialog, which show them. */
function isOfFields(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.details.length === 0) return false;
  return error.details.every(({ path }) => /^output\.email\.(?:to|cc|bcc|subject|body)\b/.test(path ?? ''));
}
