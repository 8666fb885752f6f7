import { useEffect, useState } from 'preact/hooks';
import { useDocmill } from '../session/session.ts';
import { pictureTexts } from '../texts/pictures.ts';
import { shellTexts } from '../texts/shell.ts';
import { BusyBar } from '../ui/busy-bar.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { Field } from '../ui/field.tsx';
import { statedLimit } from '../ui/stated-limit.ts';
import { ErrorNote } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { checkPictureFile, pictureEndings } from './check-picture-file.ts';
import { findPicture } from './find-picture.ts';
import type { Asset } from './stored-picture.tsx';

interface UploadPictureDialogProps {
  readonly dropped?: File | undefined;
  /** The picture to replace; a new one is stored without it. */
  readonly replaces?: Asset | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Stores a picture. Warns before it replaces one with the same name. */
export function UploadPictureDialog({ dropped, replaces, onDone, onClose }: UploadPictureDialogProps) {
  const docmill = useDocmill();
  const [file, setFile] = useState(dropped);
  const [typedName, setTypedName] = useState<string>();
  const [existing, setExisting] = useState<string>();
  const name = replaces?.name ?? typedName?.trim() ?? file?.name ?? '';
  const { run, isBusy, error, reset } = useAction(async (chosen: File) => {
    const isKnown = replaces !== undefined || existing === name;
    if (!isKnown && (await findPicture(docmill, name)) !== undefined) return setExisting(name);
    await docmill.assets.upload(name, chosen);
    showToast(isKnown ? pictureTexts.replaced(name) : pictureTexts.stored(name));
    onDone();
    onClose();
  });
  const choose = (chosen: File): void => {
    reset();
    setFile(chosen);
  };
  const problem = file === undefined ? undefined : checkPictureFile(file);
  const isReady = file !== undefined && problem === undefined;
  const isReplacing = replaces !== undefined || existing === name;
  return (
    <Dialog title={replaces === undefined ? pictureTexts.uploadTitle : pictureTexts.replaceTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) run(file);
        }}
      >
        {replaces !== undefined && <p class="muted">{pictureTexts.replaceLead(name)}</p>}
        {isReady ? (
          <LocalPicture file={file} />
        ) : (
          <Dropzone label={pictureTexts.choose} hint={pictureTexts.limits} accept={pictureEndings} onFile={choose} />
        )}
        {problem !== undefined && (
          <p class="field-error" role="alert">
            {problem}
          </p>
        )}
        {isReady && replaces === undefined && (
          <Field label={pictureTexts.name} hint={pictureTexts.nameHint}>
            {(attributes) => (
              <input
                {...attributes}
                type="text"
                value={typedName ?? file.name}
                maxLength={200}
                required
                spellcheck={false}
                autocomplete="off"
                disabled={isBusy}
                onInput={({ currentTarget }) => {
                  reset();
                  setTypedName(currentTarget.value);
                }}
              />
            )}
          </Field>
        )}
        {existing === name && (
          <p class="note warn" role="alert">
            {pictureTexts.exists(name)}
          </p>
        )}
        {error !== undefined && <ErrorNote error={statedLimit(error)} />}
        {isBusy && <BusyBar text={pictureTexts.working} />}
        {isReady && (
          <footer>
            <Button onClick={onClose}>{shellTexts.cancel}</Button>
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={name === ''}>
              {isReplacing ? pictureTexts.replaceAction : pictureTexts.store}
            </Button>
          </footer>
        )}
      </form>
    </Dialog>
  );
}

/** The chosen file as the browser shows it; nothing if it cannot. */
function LocalPicture({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const shown = URL.createObjectURL(file);
    setUrl(shown);
    return () => URL.revokeObjectURL(shown);
  }, [file]);
  return <span class="picture-frame">{url !== undefined && <img src={url} alt="" />}</span>;
}
