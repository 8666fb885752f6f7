import { useState } from 'preact/hooks';
import { forgetTemplate } from '../../session/kept-data.ts';
import { accountId, useDocmill } from '../../session/session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { changeTexts } from '../../texts/templates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';

interface DeleteDialogProps {
  readonly id: string;
  readonly name: string;
  /** Prevents deleting a template that has changed since. */
  readonly ifMatch: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Deletes a template after its name is typed. White space is compared as displayed. */
export function DeleteDialog({ id, name, ifMatch, onDone, onClose }: DeleteDialogProps) {
  const docmill = useDocmill();
  const [typed, setTyped] = useState('');
  const isConfirmed = visible(typed) === visible(name);
  const { run, isBusy, error } = useAction(async () => {
    await docmill.templates.delete(id, { ifMatch });
    if (accountId.value !== undefined) forgetTemplate(accountId.value, id);
    showToast(changeTexts.deleted(name));
    onDone();
  });
  return (
    <Dialog title={changeTexts.deleteTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) run();
        }}
      >
        <p>{changeTexts.deleteText}</p>
        <Field label={shellTexts.confirmName(name)}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              value={typed}
              spellcheck={false}
              autocomplete="off"
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
        {error !== undefined && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="danger" isBusy={isBusy} disabled={!isConfirmed}>
            {changeTexts.delete}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

const visible = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
