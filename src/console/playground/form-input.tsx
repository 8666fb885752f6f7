import type { Docmill } from '@docmill/client';
import { playgroundTexts } from '../texts/playground.ts';
import type { InputAttributes } from '../ui/field.tsx';
import { PictureInput } from './picture-input.tsx';
import type { PlainNode } from './schema-form.ts';

interface FormInputProps {
  readonly node: Exclude<PlainNode, { kind: 'list' | 'object' }>;
  readonly value: unknown;
  /** Undefined removes the value. */
  readonly onValue: (value: unknown) => void;
  readonly attributes: InputAttributes;
  readonly example?: string | undefined;
  /** Whether the value may be missing: an empty input means none, and every choice has a default. */
  readonly isOptional: boolean;
  readonly docmill: Docmill;
}

/** Longer texts, such as base64 pictures, would slow down every keystroke. */
const maxShownLength = 5_000;

/** The input for a value that is neither a list nor an object. */
export function FormInput({ node, value, onValue, attributes, example, isOptional, docmill }: FormInputProps) {
  if (node.kind === 'picture') {
    return <PictureInput docmill={docmill} value={value} onValue={onValue} attributes={attributes} />;
  }
  const isForeign = typeof value === 'object' && value !== null;
  if (isForeign || (typeof value === 'string' && value.length > maxShownLength)) {
    return <input {...attributes} readOnly value={playgroundTexts.editInJson} />;
  }
  const setText = (text: string) => onValue(text === '' && isOptional ? undefined : text);
  if (node.kind === 'boolean') {
    if (isOptional) {
      const shown = typeof value === 'boolean' ? String(value) : '';
      return (
        <select
          {...attributes}
          value={shown}
          onChange={({ currentTarget }) =>
            onValue(currentTarget.value === '' ? undefined : currentTarget.value === 'true')
          }
        >
          <option value="">{playgroundTexts.byDefault}</option>
          <option value="true">{playgroundTexts.yes}</option>
          <option value="false">{playgroundTexts.no}</option>
        </select>
      );
    }
    return (
      <input
        {...attributes}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />
    );
  }
  if (node.kind === 'choice') {
    return (
      <select
        {...attributes}
        value={String(value ?? '')}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      >
        {isOptional && <option value="">{playgroundTexts.byDefault}</option>}
        {node.options.map((option) => (
          <option key={option} value={option}>
            {node.labels?.[option] ?? option}
          </option>
        ))}
      </select>
    );
  }
  if (node.kind === 'number' && (value === undefined || value === null || typeof value === 'number')) {
    return (
      <input
        {...attributes}
        type="number"
        step={node.isWhole ? 1 : 'any'}
        min={node.min}
        max={node.max}
        placeholder={example}
        value={value ?? ''}
        onInput={({ currentTarget }) => onValue(currentTarget.value === '' ? undefined : Number(currentTarget.value))}
      />
    );
  }
  const text = String(value ?? '');
  if (node.kind === 'text' && node.format === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(text)) {
    return (
      <input {...attributes} type="date" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
    );
  }
  if (text.length > 60 || text.includes('\n')) {
    return (
      <textarea {...attributes} rows={3} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
    );
  }
  const isSecret = node.kind === 'text' && node.isSecret;
  return (
    <input
      {...attributes}
      type={isSecret ? 'password' : 'text'}
      autocomplete={isSecret ? 'new-password' : 'off'}
      placeholder={example}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
