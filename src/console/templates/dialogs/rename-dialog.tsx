import { useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { changeTexts, uploadTexts } from '../../texts/templates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { withEnding } from './template-name.ts';

interface RenameDialogProps {
  readonly id: string;
  readonly name: string;
  /** The change is refused when the template has changed since. */
  readonly ifMatch: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RenameDialog({ id, name: before, ifMatch, onDone, onClose }: RenameDialogProps) {
  const docmill = useDocmill();
  const [name, setName] = useState(before);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [nameError, setNameError] = useState<string>();
  const rename = async (): Promise<void> => {
    if (name.trim() === '') return setNameError(uploadTexts.nameMissing);
    setNameError(undefined);
    setIsBusy(true);
    try {
      const { name: stored } = await docmill.templates.rename(id, withEnding(name), { ifMatch });
      showToast(changeTexts.renamed(stored));
      onDone();
      onClose();
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={changeTexts.renameTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <Field label={uploadTexts.name} hint={changeTexts.renameHint} error={nameError}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              name="name"
              value={name}
              maxLength={200}
              spellcheck={false}
              autocomplete="off"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        {error !== undefined && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {changeTexts.rename}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
