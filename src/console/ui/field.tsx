import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  /** Receives the attributes that connect the input with its label, hint and error. */
  readonly children: (input: InputAttributes) => ComponentChildren;
}

export interface InputAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    (part) => part !== false,
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about.join(' ') || undefined, 'aria-invalid': error !== undefined })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
