import { useEffect, useRef } from 'preact/hooks';
import { listTexts } from '../texts/lists.ts';
import { Field } from './field.tsx';

const pauseMs = 300;

interface SearchFieldProps {
  readonly label?: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Searches after a pause in typing, or immediately on Enter. */
export function SearchField({ label = listTexts.search, placeholder, value, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Back and Forward change the address, not the field.
    if (input.current !== null && document.activeElement !== input.current) input.current.value = value;
  }, [value]);
  const search = (text: string): void => {
    clearTimeout(timer.current);
    if (text.trim() !== value) onSearch(text.trim());
  };
  return (
    <Field label={label}>
      {(attributes) => (
        <input
          ref={input}
          type="search"
          maxLength={320}
          defaultValue={value}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(currentTarget.value), pauseMs);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') search(event.currentTarget.value);
          }}
          {...attributes}
        />
      )}
    </Field>
  );
}
