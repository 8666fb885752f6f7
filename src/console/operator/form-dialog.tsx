import { useState } from 'preact/hooks';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';

interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'count' | 'check';
  readonly value?: string | number;
}

/** What was typed, also for numbers, and what was checked. */
type FormValues = Readonly<Record<string, string | boolean>>;

interface FormDialogProps {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly fields: readonly FormField[];
  /** Closes the dialog when it resolves. */
  readonly onSave: (values: FormValues) => Promise<void>;
  readonly onClose: () => void;
}

/** A dialog with a few fields: texts, whole numbers from 0 and checkboxes. The service checks the rest. */
export function FormDialog({ title, text, action, fields, onSave, onClose }: FormDialogProps) {
  const [values, setValues] = useState<FormValues>(
    Object.fromEntries(fields.map(({ name, kind, value }) => [name, kind === 'check' ? false : String(value ?? '')])),
  );
  const set = (name: string, value: string | boolean): void => setValues({ ...values, [name]: value });
  const { run, isBusy, error } = useAction(async () => {
    await onSave(values);
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        {text !== undefined && <p>{text}</p>}
        {fields.map(({ name, label, kind }) =>
          kind === 'check' ? (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={values[name] === true}
                onChange={({ currentTarget }) => set(name, currentTarget.checked)}
              />
              {label}
            </label>
          ) : (
            <Field key={name} label={label}>
              {(attributes) => (
                <input
                  {...attributes}
                  type={kind === 'count' ? 'number' : 'text'}
                  {...(kind === 'count' && { min: 0, step: 1 })}
                  required
                  autocomplete="off"
                  value={String(values[name])}
                  onInput={({ currentTarget }) => set(name, currentTarget.value)}
                />
              )}
            </Field>
          ),
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
