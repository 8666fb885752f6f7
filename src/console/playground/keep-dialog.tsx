import { useState } from 'preact/hooks';
import { keepData } from '../session/kept-data.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';

const { kept: texts } = playgroundTexts;
const maxNameLength = 100;

interface KeepDialogProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly text: string;
  readonly suggestedName: string;
  readonly onDone: (name: string) => void;
  readonly onClose: () => void;
}

/** Keeps the data under a name, after showing the user where and for how long. */
export function KeepDialog({ accountId, templateId, text, suggestedName, onDone, onClose }: KeepDialogProps) {
  const [typedName, setName] = useState(suggestedName);
  const [hasNoSpace, setHasNoSpace] = useState(false);
  const name = typedName.trim();
  return (
    <Dialog title={texts.keepTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!keepData(accountId, { templateId, name, text })) return setHasNoSpace(true);
          showToast(texts.done(name));
          onDone(name);
          onClose();
        }}
      >
        <p class="note warn">{texts.keepText}</p>
        <Field label={texts.name} hint={texts.nameHint} error={hasNoSpace ? texts.noSpace : undefined}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              value={typedName}
              maxLength={maxNameLength}
              required
              autocomplete="off"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" disabled={name === ''}>
            {texts.keep}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
