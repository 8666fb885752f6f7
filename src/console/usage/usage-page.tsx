import './usage.css';
import { useMemo } from 'preact/hooks';
import { usageTexts } from '../texts/usage.ts';
import { PageHeader } from '../ui/page-header.tsx';
import '../ui/rows.css';
import { Field } from '../ui/field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { type Filters, useFilters } from '../ui/use-filters.ts';
import { QuotaGauges, useQuotas } from './quota-gauges.tsx';
import { chosenRange, rangeDays, toUsageRange, usageFilterNames } from './usage-range.ts';
import { UsageReport, useUsage } from './usage-report.tsx';

export default function UsagePage() {
  const filters = useFilters(usageFilterNames);
  const range = useMemo(() => toUsageRange(filters.values, Date.now()), [JSON.stringify(filters.values)]);
  const quotas = useQuotas();
  const usage = useUsage(range);
  const failed = [quotas, usage].filter(({ error }) => error !== undefined);
  return (
    <>
      <PageHeader title={usageTexts.title} about={usageTexts.about} />
      <div class="sections">
        {failed[0] !== undefined && (
          <ErrorNote
            error={failed[0].error}
            onRetry={() => {
              for (const { reload } of failed) reload();
            }}
          />
        )}
        {(quotas.value !== undefined || quotas.error === undefined) && (
          <section class="card">
            <h2>{usageTexts.quotas}</h2>
            {quotas.value === undefined ? <Skeleton lines={4} /> : <QuotaGauges {...quotas.value} />}
          </section>
        )}
        <RangeChoice filters={filters} shown={range} />
        {usage.value !== undefined && <UsageReport range={range} usage={usage.value} />}
        {usage.value === undefined && usage.error === undefined && <Skeleton lines={9} />}
      </div>
    </>
  );
}

interface RangeChoiceProps {
  readonly filters: Filters<(typeof usageFilterNames)[number]>;
  readonly shown: { readonly from: string; readonly to: string };
}

function RangeChoice({ filters: { values, set }, shown: { from, to } }: RangeChoiceProps) {
  const chosen = chosenRange(values);
  const options = [
    ...rangeDays.map((days) => [String(days), usageTexts.ranges[days]] as const),
    ['custom', usageTexts.ranges.custom] as const,
  ];
  return (
    <div class="filters usage-range">
      <SelectField
        label={usageTexts.range}
        value={chosen}
        options={options}
        onSelect={(next) => set(next === 'custom' ? { days: '', from, to } : { days: next, from: '', to: '' })}
      />
      {chosen === 'custom' && (
        <>
          <DayField label={usageTexts.from} value={from} onChange={(day) => set({ from: day, to })} />
          <DayField label={usageTexts.to} value={to} onChange={(day) => set({ from, to: day })} />
        </>
      )}
    </div>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}

function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      {(attributes) => (
        <input
          type="date"
          value={value}
          onChange={({ currentTarget }) => currentTarget.value !== '' && onChange(currentTarget.value)}
          {...attributes}
        />
      )}
    </Field>
  );
}
