import { useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { changeTexts } from '../../texts/templates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { NameField } from './name-field.tsx';
import { isBlank, withEnding } from './template-name.ts';

interface RenameDialogProps {
  readonly id: string;
  readonly name: string;
  /** Refuses the change if the template has changed since. */
  readonly ifMatch: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RenameDialog({ id, name: before, ifMatch, onDone, onClose }: RenameDialogProps) {
  const docmill = useDocmill();
  const [name, setName] = useState(before);
  const { run, isBusy, error } = useAction(async () => {
    const { name: stored } = await docmill.templates.rename(id, withEnding(name), { ifMatch });
    showToast(changeTexts.renamed(stored));
    onDone();
    onClose();
  });
  return (
    <Dialog title={changeTexts.renameTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <NameField name={name} hint={changeTexts.renameHint} onName={setName} />
        {error !== undefined && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={isBlank(name)}>
            {changeTexts.rename}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
