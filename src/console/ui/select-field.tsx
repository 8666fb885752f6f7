import { Field } from './field.tsx';

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onSelect: (value: string) => void;
}

export function SelectField({ label, value, options, onSelect }: SelectFieldProps) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select value={value} onChange={({ currentTarget }) => onSelect(currentTarget.value)} {...attributes}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
