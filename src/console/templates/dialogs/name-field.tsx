import { uploadTexts } from '../../texts/templates.ts';
import { Field } from '../../ui/field.tsx';
import { isBlank, maxNameLength } from './template-name.ts';

interface NameFieldProps {
  readonly name: string;
  readonly hint: string;
  readonly isDisabled?: boolean;
  readonly onName: (name: string) => void;
}

export function NameField({ name, hint, isDisabled = false, onName }: NameFieldProps) {
  return (
    <Field label={uploadTexts.name} hint={hint} error={isBlank(name) ? uploadTexts.nameMissing : undefined}>
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          name="name"
          value={name}
          maxLength={maxNameLength}
          spellcheck={false}
          autocomplete="off"
          disabled={isDisabled}
          onInput={({ currentTarget }) => onName(currentTarget.value)}
        />
      )}
    </Field>
  );
}
