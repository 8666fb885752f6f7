import { listTexts } from '../texts/lists.ts';
import { periodNames } from './period.ts';
import { SelectField } from './select-field.tsx';

interface PeriodFieldProps {
  readonly value: string;
  readonly onSelect: (period: string) => void;
}

export const PeriodField = ({ value, onSelect }: PeriodFieldProps) => (
  <SelectField
    label={listTexts.period}
    value={value}
    options={[['', listTexts.anyTime], ...periodNames.map((name) => [name, listTexts.periods[name]] as const)]}
    onSelect={onSelect}
  />
);
