import type { components } from '@docmill/client';
import { CircleCheck } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { changeTexts, uploadTexts } from '../../texts/templates.ts';
import { BusyBar } from '../../ui/busy-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Dropzone } from '../../ui/dropzone.tsx';
import type { DroppedFile } from '../../ui/read-drop.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { checkTemplateFile, templateFileEndings } from '../check-template-file.ts';
import { warningsOf } from '../problems/problem.ts';
import { ProblemList } from '../problems/problem-list.tsx';
import { nextRefusal, type Refusal, RefusedFile } from '../problems/refused-file.tsx';
import { readTemplateFile, UnreadableFile } from './read-template-file.ts';

interface ReplaceDialogProps {
  readonly template: Pick<components['schemas']['TemplateDetail'], 'id' | 'name' | 'delimiters'>;
  readonly ifMatch: string | undefined;
  readonly dropped?: DroppedFile;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

type Check =
  | { readonly kind: 'running' | 'refused' }
  | { readonly kind: 'valid'; readonly file: File; readonly warnings: readonly Warning[] };

interface Warning {
  readonly code: string;
  readonly message: string;
}

/**
 * Checks a file against the current version, shows which fields change for integrations, and uploads it as the next
 * version.
 */
export function ReplaceDialog({ template, ifMatch, dropped, onDone, onClose }: ReplaceDialogProps) {
  const docmill = useDocmill();
  const [chosen, setChosen] = useState(dropped);
  const [round, setRound] = useState(0);
  const [check, setCheck] = useState<Check>();
  // Stays visible while the file is checked again.
  const [refused, setRefused] = useState<Refusal>();
  const { run, isBusy, error, reset } = useAction(async (file: File) => {
    const { version } = await docmill.templates.replace(template.id, template.name, file, { ifMatch });
    showToast(changeTexts.replaced(version));
    onDone();
    onClose();
  });
  const wrong = chosen === undefined ? undefined : checkTemplateFile(chosen.file);
  useEffect(() => {
    if (chosen === undefined || checkTemplateFile(chosen.file) !== undefined) return;
    const controller = new AbortController();
    setCheck({ kind: 'running' });
    reset();
    const { signal } = controller;
    const run = async (): Promise<void> => {
      let file: File | undefined;
      try {
        file = await readTemplateFile(chosen);
        const { warnings } = await docmill.templates.validate(file, { replaces: template.id }, { signal });
        if (signal.aborted) return;
        setRefused(undefined);
        setCheck({ kind: 'valid', file, warnings });
      } catch (failure) {
        if (signal.aborted) return;
        setRefused((before) => nextRefusal(before, failure, file));
        setCheck({ kind: 'refused' });
      }
    };
    void run();
    return () => controller.abort();
  }, [chosen, round]);
  const isOpen = chosen === undefined || wrong !== undefined;
  const isUnreadable = check?.kind === 'refused' && refused?.error instanceof UnreadableFile;
  const choose = (file: File, handle?: FileSystemFileHandle) => setChosen({ file, handle });
  return (
    <Dialog title={changeTexts.replaceTitle} onClose={onClose} isLarge={refused !== undefined}>
      <div class="form">
        <p class="muted">{changeTexts.replaceLead}</p>
        {isOpen && (
          <Dropzone
            label={uploadTexts.choose}
            hint={uploadTexts.chooseHint}
            accept={templateFileEndings}
            onFile={choose}
          />
        )}
        {wrong !== undefined && (
          <p class="field-error" role="alert">
            {wrong}
          </p>
        )}
        {!isOpen && check?.kind === 'running' && <BusyBar text={changeTexts.checking} />}
        {!isOpen && refused !== undefined && (
          <RefusedFile {...refused}>
            {isUnreadable && <Dropzone label={uploadTexts.chooseAgain} accept={templateFileEndings} onFile={choose} />}
          </RefusedFile>
        )}
        {!isOpen && check?.kind === 'valid' && <Findings warnings={check.warnings} delimiters={template.delimiters} />}
        {error !== undefined && <ErrorNote error={error} />}
        {!isOpen && (
          <footer>
            <Button onClick={onClose}>{shellTexts.cancel}</Button>
            {check?.kind === 'refused' && (
              <>
                <Button
                  onClick={() => {
                    setChosen(undefined);
                    setRefused(undefined);
                  }}
                >
                  {uploadTexts.another}
                </Button>
                {!isUnreadable && (
                  <Button variant="primary" onClick={() => setRound(round + 1)}>
                    {uploadTexts.again}
                  </Button>
                )}
              </>
            )}
            {check?.kind === 'valid' && (
              <Button variant="primary" isBusy={isBusy} onClick={() => run(check.file)}>
                {changeTexts.replace}
              </Button>
            )}
          </footer>
        )}
      </div>
    </Dialog>
  );
}

interface FindingsProps {
  readonly warnings: readonly Warning[];
  readonly delimiters: string;
}

function Findings({ warnings, delimiters }: FindingsProps) {
  const ofSchema = warnings.filter(({ code }) => code.startsWith('schema_'));
  const others = warnings.filter(({ code }) => !code.startsWith('schema_'));
  return (
    <div role="status">
      {ofSchema.length === 0 ? (
        <p class="note good">
          <CircleCheck aria-hidden="true" />
          {changeTexts.callersSafe}
        </p>
      ) : (
        <>
          <h3>{changeTexts.callersTitle}</h3>
          <ProblemList problems={warningsOf(ofSchema, delimiters)} />
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>{changeTexts.otherWarnings}</h3>
          <ProblemList problems={warningsOf(others, delimiters)} />
        </>
      )}
    </div>
  );
}
