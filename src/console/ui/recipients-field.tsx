import { useState } from 'preact/hooks';
import { splitAddresses } from './split-addresses.ts';
import { TextField } from './text-field.tsx';

interface RecipientsFieldProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onValue: (addresses: readonly string[]) => void;
}

/** Addresses as one string. It is kept as typed, so that a comma can be written before the next address. */
export function RecipientsField({ value, onValue, ...field }: RecipientsFieldProps) {
  const [text, setText] = useState(Array.isArray(value) ? value.join(', ') : '');
  const write = (next: string): void => {
    setText(next);
    onValue(splitAddresses(next));
  };
  return <TextField {...field} value={text} rows={1} onValue={write} />;
}
