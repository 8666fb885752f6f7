import { hasScope, useDocmill } from '../session/session.ts';
import { useTemplateNames } from '../session/use-template-names.ts';
import { documentTexts } from '../texts/documents.ts';
import { listTexts } from '../texts/lists.ts';
import { Button } from '../ui/button.tsx';
import { PeriodField } from '../ui/period-field.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { Filters } from '../ui/use-filters.ts';
import { useLoad } from '../ui/use-load.ts';
import { type FilterName, formats, statuses } from './job-query.ts';

export function DocumentFilters({ filters: { values, set } }: { readonly filters: Filters<FilterName> }) {
  return (
    <search class="filters">
      <div class="wide">
        <SearchField
          value={values.search}
          placeholder={documentTexts.searchPlaceholder}
          onSearch={(search) => set({ search })}
        />
      </div>
      <SelectField
        label={documentTexts.status}
        value={values.status}
        options={[['', listTexts.all], ...statuses.map((one) => [one, documentTexts.statuses[one]] as const)]}
        onSelect={(status) => set({ status })}
      />
      {hasScope('templates:read') && (
        <TemplateFilter value={values.template} onSelect={(template) => set({ template })} />
      )}
      <PeriodField value={values.period} onSelect={(period) => set({ period })} />
      <SelectField
        label={documentTexts.format}
        value={values.format}
        options={[['', listTexts.all], ...formats.map((one) => [one, one.toUpperCase()] as const)]}
        onSelect={(format) => set({ format })}
      />
      <SelectField
        label={documentTexts.kind}
        value={values.test}
        options={[
          ['', listTexts.all],
          ['false', documentTexts.kinds.live],
          ['true', documentTexts.kinds.test],
        ]}
        onSelect={(test) => set({ test })}
      />
      {values.batch !== '' && (
        <p class="batch-filter small">
          {documentTexts.batchFilter}{' '}
          <Button variant="quiet" onClick={() => set({ batch: '' })}>
            {documentTexts.allBatches}
          </Button>
        </p>
      )}
    </search>
  );
}

/** A longer list is impractical to choose from; the page of a template links here with its own filter. */
const maxChoices = 200;

function TemplateFilter({ value, onSelect }: { readonly value: string; readonly onSelect: (id: string) => void }) {
  const docmill = useDocmill();
  const templates = useLoad(async (signal) => {
    const found: (readonly [string, string])[] = [];
    for await (const { id, name } of docmill.templates.list({ limit: maxChoices }, { signal })) {
      found.push([id, name]);
      if (found.length === maxChoices) break;
    }
    return found.toSorted(([, a], [, b]) => a.localeCompare(b));
  }, 'templates');
  const names = useTemplateNames(value === '' ? [] : [value]);
  const choices = templates.value ?? [];
  const isListed = value === '' || choices.some(([id]) => id === value);
  const chosen = isListed ? [] : [[value, names.get(value) ?? value] as const];
  return (
    <SelectField
      label={documentTexts.template}
      value={value}
      options={[['', listTexts.all], ...chosen, ...choices]}
      onSelect={onSelect}
    />
  );
}
