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
import { checkTemplateFile } from '../check-template-file.ts';
import { warningsOf } from '../problems/problem.ts';
import { ProblemList } from '../problems/problem-list.tsx';
import { RefusedFile } from '../problems/refused-file.tsx';
import { currentFile } from './current-file.ts';

interface ReplaceDialogProps {
  readonly template: { readonly id: string; readonly name: string };
  readonly ifMatch: string | undefined;
  readonly dropped?: DroppedFile;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

type Check =
  | { readonly kind: 'running' }
  | { readonly kind: 'refused'; readonly error: unknown; readonly file: File }
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
    const run = async (): Promise<Check> => {
      let { file } = chosen;
      try {
        file = await currentFile(chosen);
        const call = { signal: controller.signal };
        const { warnings } = await docmill.templates.validate(file, { replaces: template.id }, call);
        return { kind: 'valid', file, warnings };
      } catch (failure) {
        return { kind: 'refused', error: failure, file };
      }
    };
    void run().then((result) => controller.signal.aborted || setCheck(result));
    return () => controller.abort();
  }, [chosen, round]);
  const isOpen = chosen === undefined || wrong !== undefined;
  return (
    <Dialog title={changeTexts.replaceTitle} onClose={onClose} isLarge={check?.kind === 'refused'}>
      <div class="form">
        <p class="muted">{changeTexts.replaceLead}</p>
        {isOpen && (
          <Dropzone
            label={uploadTexts.choose}
            hint={uploadTexts.chooseHint}
            accept=".docx"
            onFile={(file, handle) => setChosen({ file, handle })}
          />
        )}
        {wrong !== undefined && (
          <p class="field-error" role="alert">
            {wrong}
          </p>
        )}
        {!isOpen && check?.kind === 'running' && <BusyBar text={changeTexts.checking} />}
        {!isOpen && check?.kind === 'refused' && <RefusedFile error={check.error} file={check.file} />}
        {!isOpen && check?.kind === 'valid' && <Findings warnings={check.warnings} />}
        {error !== undefined && <ErrorNote error={error} />}
        {!isOpen && (
          <footer>
            <Button onClick={onClose}>{shellTexts.cancel}</Button>
            {check?.kind === 'refused' && (
              <>
                <Button onClick={() => setChosen(undefined)}>{uploadTexts.another}</Button>
                <Button variant="primary" onClick={() => setRound(round + 1)}>
                  {uploadTexts.again}
                </Button>
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

function Findings({ warnings }: { readonly warnings: readonly Warning[] }) {
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
          <ProblemList problems={warningsOf(ofSchema)} />
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>{changeTexts.otherWarnings}</h3>
          <ProblemList problems={warningsOf(others)} />
        </>
      )}
    </div>
  );
}
