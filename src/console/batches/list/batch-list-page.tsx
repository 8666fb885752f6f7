import '../batches.css';
import { Layers, Plus } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { hasScope, useDocmill } from '../../session/session.ts';
import { shownName, useTemplateNames } from '../../session/use-template-names.ts';
import { batchTexts } from '../../texts/batches.ts';
import { listTexts } from '../../texts/lists.ts';
import { Button } from '../../ui/button.tsx';
import { ListStart } from '../../ui/list-start.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { type Filters, useFilters } from '../../ui/use-filters.ts';
import { usePages } from '../../ui/use-pages.ts';
import { BatchTable } from './batch-table.tsx';
import { FirstBatch } from './first-batch.tsx';

const pageSize = 25;
const filterNames = ['status', 'template'] as const;
const statuses = ['accepted', 'running', 'completed', 'failed', 'cancelled'] as const;

export default function BatchListPage() {
  const docmill = useDocmill();
  const filters = useFilters(filterNames);
  const { values, isFiltered } = filters;
  const status = statuses.find((one) => one === values.status);
  const query = {
    limit: pageSize,
    ...(status !== undefined && { status }),
    ...(values.template !== '' && { templateId: values.template }),
  };
  const pages = usePages(
    (signal) => docmill.batches.list(query, { signal }),
    pageSize,
    `${values.status} ${values.template}`,
  );
  const { entries, isLoading, isEmpty, hasMore, more, reload } = pages;
  return (
    <>
      <PageHeader title={batchTexts.title} about={batchTexts.about}>
        {hasScope('generate') && (
          <Link class="button primary" href="/batches/new">
            <Plus aria-hidden="true" />
            {batchTexts.newBatch}
          </Link>
        )}
      </PageHeader>
      {(isFiltered || !isEmpty) && <BatchFilters filters={filters} />}
      <ListStart
        pages={pages}
        loading={<Skeleton lines={8} />}
        empty={
          isFiltered ? (
            <EmptyState title={batchTexts.noMatchTitle} icon={<Layers aria-hidden="true" />}>
              <p>{batchTexts.noMatchText}</p>
            </EmptyState>
          ) : (
            <FirstBatch />
          )
        }
      />
      {entries.length > 0 && <BatchTable batches={entries} onEnd={reload} />}
      <MoreButton hasMore={hasMore} isBusy={isLoading} onMore={more} />
    </>
  );
}

function BatchFilters({
  filters: { values, isFiltered, set, clear },
}: {
  readonly filters: Filters<(typeof filterNames)[number]>;
}) {
  const names = useTemplateNames(values.template === '' ? [] : [values.template]);
  return (
    <search class="filters">
      <SelectField
        label={batchTexts.status}
        value={values.status}
        options={[['', listTexts.all], ...statuses.map((one) => [one, batchTexts.statuses[one]] as const)]}
        onSelect={(status) => set({ status })}
      />
      {values.template !== '' && <p>{batchTexts.ofTemplate(shownName(names, values.template))}</p>}
      {isFiltered && <Button onClick={clear}>{batchTexts.showAll}</Button>}
    </search>
  );
}
