import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useDocmill } from '../../session/session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { uploadTexts } from '../../texts/templates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Dropzone } from '../../ui/dropzone.tsx';
import { Field } from '../../ui/field.tsx';
import type { DroppedFile } from '../../ui/read-drop.ts';
import { showToast } from '../../ui/toasts.tsx';
import { RefusedFile } from '../problems/refused-file.tsx';
import { checkFile } from './check-file.ts';
import { currentFile } from './current-file.ts';
import { FileWork } from './file-work.tsx';
import { templateNameOf, withEnding } from './template-name.ts';

interface UploadDialogProps {
  readonly dropped?: DroppedFile;
  readonly onClose: () => void;
}

/** Uploads a template: asks for its name, then shows its mistakes or opens its page. */
export function UploadDialog({ dropped, onClose }: UploadDialogProps) {
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState(dropped);
  const [name, setName] = useState(dropped === undefined ? '' : templateNameOf(dropped.file.name));
  const [nameError, setNameError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly file: File }>();
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);

  const choose = (file: File, handle?: FileSystemFileHandle): void => {
    setChosen({ file, handle });
    setName(templateNameOf(file.name));
    setFailure(undefined);
  };
  const send = async (): Promise<void> => {
    if (chosen === undefined) return;
    if (name.trim() === '') return setNameError(uploadTexts.nameMissing);
    setNameError(undefined);
    setIsBusy(true);
    const controller = new AbortController();
    running.current = controller;
    let file = chosen.file;
    try {
      file = await currentFile(chosen);
      const { id, name: stored } = await docmill.templates.upload(withEnding(name), file, {
        signal: controller.signal,
      });
      showToast(uploadTexts.done(stored));
      navigate(`/templates/${id}`);
    } catch (error) {
      if (controller.signal.aborted) return;
      setFailure({ error, file });
      setIsBusy(false);
    }
  };

  const problem = chosen === undefined ? undefined : checkFile(chosen.file);
  const isReady = chosen !== undefined && problem === undefined;
  return (
    <Dialog title={uploadTexts.title} onClose={onClose} size={failure === undefined ? 'small' : 'large'}>
      <form
        class="upload-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {!isReady && (
          <Dropzone label={uploadTexts.choose} hint={uploadTexts.chooseHint} accept=".docx" onFile={choose} />
        )}
        {problem !== undefined && (
          <p class="field-error" role="alert">
            {problem}
          </p>
        )}
        {isReady && failure === undefined && (
          <Field label={uploadTexts.name} hint={uploadTexts.nameHint} error={nameError}>
            {(attributes) => (
              <input
                {...attributes}
                type="text"
                name="name"
                value={name}
                maxLength={200}
                spellcheck={false}
                autocomplete="off"
                disabled={isBusy}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            )}
          </Field>
        )}
        {failure !== undefined && <RefusedFile error={failure.error} file={failure.file} />}
        {isBusy && <FileWork text={uploadTexts.working} hint={uploadTexts.workingHint} />}
        {isReady && (
          <footer>
            <Button onClick={onClose}>{shellTexts.cancel}</Button>
            {failure !== undefined && (
              <Button onClick={() => setChosen(undefined)} disabled={isBusy}>
                {uploadTexts.another}
              </Button>
            )}
            <Button type="submit" variant="primary" isBusy={isBusy}>
              {failure === undefined ? uploadTexts.upload : uploadTexts.again}
            </Button>
          </footer>
        )}
      </form>
    </Dialog>
  );
}
