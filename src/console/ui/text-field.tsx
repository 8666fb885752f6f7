import { Field } from './field.tsx';

interface TextFieldProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: unknown;
  readonly rows: number;
  readonly error: string | undefined;
  readonly onValue: (text: string) => void;
}

/** A labelled text of one or several lines. */
export function TextField({ label, hint, value, rows, error, onValue }: TextFieldProps) {
  const text = typeof value === 'string' ? value : '';
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) =>
        rows > 1 ? (
          <textarea
            {...attributes}
            rows={rows}
            value={text}
            onInput={({ currentTarget }) => onValue(currentTarget.value)}
          />
        ) : (
          <input
            {...attributes}
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => onValue(currentTarget.value)}
          />
        )
      }
    </Field>
  );
}
