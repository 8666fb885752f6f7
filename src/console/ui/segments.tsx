import { useId } from 'preact/hooks';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onSelect: (value: T) => void;
}

/** A few choices side by side, of which one is chosen. */
export function Segments<T extends string>({ label, value, options, onSelect }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset class="segments" aria-label={label}>
      {options.map(([option, text]) => (
        <label key={option} data-chosen={value === option}>
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={value === option}
            onChange={() => onSelect(option)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
