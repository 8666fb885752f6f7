import { ConflictError } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useDocmill } from '../../session/session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { uploadTexts } from '../../texts/templates.ts';
import { BusyBar } from '../../ui/busy-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Dropzone } from '../../ui/dropzone.tsx';
import type { DroppedFile } from '../../ui/read-drop.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { checkTemplateFile, templateFileEndings } from '../check-template-file.ts';
import { nextRefusal, type Refusal, RefusedFile } from '../problems/refused-file.tsx';
import { NameField } from './name-field.tsx';
import { readTemplateFile, UnreadableFile } from './read-template-file.ts';
import { isBlank, templateNameOf, withEnding } from './template-name.ts';

interface UploadDialogProps {
  readonly dropped?: DroppedFile;
  readonly onClose: () => void;
}

/** The first is the service's default. The API accepts others, too. */
const commonDelimiters = ['{ }', '{{ }}', '<< >>', '[[ ]]'] as const;

/** Uploads a template: asks for its name, then shows its errors or opens its page. */
export function UploadDialog({ dropped, onClose }: UploadDialogProps) {
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState(dropped);
  // Choosing another file keeps a typed name.
  const [typedName, setTypedName] = useState<string>();
  const [delimiters, setDelimiters] = useState<string>(commonDelimiters[0]);
  const [refused, setRefused] = useState<Refusal>();
  // The name of a template that the account has already.
  const [taken, setTaken] = useState<string>();
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);

  const name = typedName ?? (chosen === undefined ? '' : templateNameOf(chosen.file.name));
  const choose = (file: File, handle?: FileSystemFileHandle): void => {
    setChosen({ file, handle });
    setRefused(undefined);
  };
  // The previous mistakes stay visible while the file is checked again.
  const { run, isBusy } = useAction(async (next: DroppedFile, isVersion = false) => {
    setChosen(next);
    setTaken(undefined);
    running.current = new AbortController();
    const { signal } = running.current;
    let file: File | undefined;
    try {
      file = await readTemplateFile(next);
      const ifNoneMatch = isVersion ? undefined : '*';
      const {
        id,
        name: stored,
        version,
      } = await docmill.templates.put(withEnding(name), file, {
        ifNoneMatch,
        delimiters,
        signal,
      });
      showToast(isVersion ? uploadTexts.doneVersion(stored, version) : uploadTexts.done(stored));
      navigate(`/templates/${id}`);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ConflictError && error.status === 412) setTaken(withEnding(name));
      else setRefused((before) => nextRefusal(before, error, file));
    }
  });

  const rename = (next: string): void => {
    setTypedName(next);
    setTaken(undefined);
  };

  const problem = chosen === undefined ? undefined : checkTemplateFile(chosen.file);
  const isReady = chosen !== undefined && problem === undefined;
  const isUnreadable = refused?.error instanceof UnreadableFile && !isBusy;
  return (
    <Dialog title={uploadTexts.title} onClose={onClose} isLarge={refused !== undefined}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== undefined) run(chosen);
        }}
      >
        {!isReady && (
          <Dropzone
            label={uploadTexts.choose}
            hint={uploadTexts.chooseHint}
            accept={templateFileEndings}
            onFile={choose}
          />
        )}
        {problem !== undefined && (
          <p class="field-error" role="alert">
            {problem}
          </p>
        )}
        {isReady && refused === undefined && (
          <NameField name={name} hint={uploadTexts.nameHint} isDisabled={isBusy} onName={rename} />
        )}
        {taken !== undefined && (
          <p class="note warn" role="alert">
            {uploadTexts.taken(taken)}
          </p>
        )}
        {refused !== undefined && (
          <RefusedFile {...refused}>
            {isReady && isUnreadable && (
              <Dropzone
                label={uploadTexts.chooseAgain}
                accept={templateFileEndings}
                onFile={(file, handle) =>
                  checkTemplateFile(file) === undefined ? run({ file, handle }) : choose(file)
                }
              />
            )}
          </RefusedFile>
        )}
        {isReady && (
          <SelectField
            label={uploadTexts.delimiters}
            value={delimiters}
            options={commonDelimiters.map((pair) => [pair, uploadTexts.tagBetween(pair)] as const)}
            onSelect={setDelimiters}
          />
        )}
        {isBusy && <BusyBar text={uploadTexts.working} hint={uploadTexts.workingHint} />}
        {isReady && (
          <footer>
            <Button onClick={onClose}>{shellTexts.cancel}</Button>
            {refused !== undefined && (
              <Button onClick={() => setChosen(undefined)} disabled={isBusy}>
                {uploadTexts.another}
              </Button>
            )}
            {taken !== undefined && (
              <Button variant="primary" onClick={() => run(chosen, true)}>
                {uploadTexts.asVersion}
              </Button>
            )}
            {!isUnreadable && taken === undefined && (
              <Button type="submit" variant="primary" isBusy={isBusy} disabled={isBlank(name)}>
                {refused === undefined ? uploadTexts.upload : uploadTexts.again}
              </Button>
            )}
          </footer>
        )}
      </form>
    </Dialog>
  );
}
