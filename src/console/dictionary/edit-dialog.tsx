import '../json-editor/json-editor.css';
import type { components } from '@docmill/client';
import { lazy, Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { parseData } from '../json-editor/parse-data.ts';
import { useDocmill } from '../session/session.ts';
import { dictionaryTexts } from '../texts/dictionary.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';

const JsonEditor = lazy(() => import('../json-editor/json-editor.tsx'));

type Dictionary = components['schemas']['Dictionary'];
type Words = Dictionary['words'];

interface EditDialogProps {
  /** Undefined if the account has no dictionary yet. */
  readonly dictionary: Dictionary | undefined;
  readonly ifMatch: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The API's limit. */
const maxBytes = 1024 * 1024;
const schema = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
};
const example: Words = { en: { total: 'Total' }, de: { total: 'Summe' } };

/** Edits the words as JSON, or loads them from a file. The service validates them. */
export function EditDialog({ dictionary, ifMatch, onDone, onClose }: EditDialogProps) {
  const docmill = useDocmill();
  const [text, setText] = useState(() => JSON.stringify(dictionary?.words ?? example, null, 2));
  const [problem, setProblem] = useState<string>();
  const { run, isBusy, error, reset } = useAction(async () => {
    const parsed = parseData(text);
    if ('problem' in parsed) return setProblem(parsed.problem);
    // The service reports values of the wrong type.
    await docmill.dictionary.put(parsed.value as Words, { ifMatch });
    showToast(dictionaryTexts.saved);
    onDone();
    onClose();
  });
  const change = (next: string): void => {
    setText(next);
    setProblem(undefined);
    reset();
  };
  const read = async (file: File): Promise<void> => {
    if (file.size > maxBytes) setProblem(dictionaryTexts.fileTooLarge);
    else change(await file.text());
  };
  return (
    <Dialog title={dictionaryTexts.title} onClose={onClose} isLarge>
      <div class="form">
        <p class="muted">{dictionaryTexts.editLead}</p>
        <Dropzone label={dictionaryTexts.fromFile} accept=".json" onFile={(file) => void read(file)} />
        <div class="dictionary-editor">
          <Suspense fallback={<Skeleton lines={6} />}>
            <JsonEditor text={text} onChange={change} label={dictionaryTexts.editorLabel} schema={schema} />
          </Suspense>
        </div>
        {problem !== undefined && (
          <p class="field-error" role="alert">
            {problem}
          </p>
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button variant="primary" isBusy={isBusy} onClick={() => run()}>
            {dictionaryTexts.save}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
