import { useState } from 'preact/hooks';
import { useDocmill } from '../session/session.ts';
import { pictureTexts } from '../texts/pictures.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { statedLimit } from '../ui/stated-limit.ts';
import { ErrorNote } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { findPicture } from './find-picture.ts';
import { type Asset, loadPicture } from './stored-picture.tsx';

interface RenamePictureDialogProps {
  readonly asset: Asset;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/**
 * Renames a picture. The API has no operation for it, so the picture is stored under the new name before the old one is
 * deleted: if that fails, both remain.
 */
export function RenamePictureDialog({ asset, onDone, onClose }: RenamePictureDialogProps) {
  const docmill = useDocmill();
  const [typedName, setName] = useState(asset.name);
  const name = typedName.trim();
  const { run, isBusy, error } = useAction(async () => {
    if ((await findPicture(docmill, name)) !== undefined) throw new Error(pictureTexts.nameTaken(name));
    await docmill.assets.upload(name, await loadPicture(docmill, asset), {
      kind: asset.type === 'file' ? 'file' : 'picture',
    });
    await docmill.assets.delete(asset.id, { ifMatch: `"${asset.checksum}"` });
    showToast(pictureTexts.renamed(name));
    onDone();
    onClose();
  });
  return (
    <Dialog title={pictureTexts.renameTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Field label={pictureTexts.name} hint={pictureTexts.renameHint}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              value={typedName}
              maxLength={200}
              required
              spellcheck={false}
              autocomplete="off"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        {error !== undefined && <ErrorNote error={statedLimit(error)} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={name === '' || name === asset.name}>
            {pictureTexts.renameAction}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
