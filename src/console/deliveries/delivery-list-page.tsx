import type { components } from '@docmill/client';
import { Mail, SearchX } from 'lucide-preact';
import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useDocmill } from '../session/session.ts';
import { deliveryTexts } from '../texts/deliveries.ts';
import { listTexts } from '../texts/lists.ts';
import { Button } from '../ui/button.tsx';
import { LiveRows } from '../ui/live-rows.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { startOfPeriod } from '../ui/period.ts';
import { PeriodField } from '../ui/period-field.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { searchWithin } from '../ui/search-within.ts';
import { SelectField } from '../ui/select-field.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useFilters } from '../ui/use-filters.ts';
import { useLiveList } from '../ui/use-live-list.ts';
import { DeliveryStatus, failureOf, recipientsOf } from './delivery-status.tsx';

type Delivery = components['schemas']['Delivery'];

const pageSize = 25;
const filterNames = ['search', 'status', 'period'] as const;
const minSearchLength = 2;
const searchLimitMs = 10_000;
const statuses: readonly Delivery['status'][] = [
  'pending',
  'sending',
  'sent',
  'partial',
  'failed',
  'unknown',
  'skipped',
];

export default function DeliveryListPage() {
  const docmill = useDocmill();
  const { values, isFiltered, set, clear } = useFilters(filterNames);
  const status = statuses.find((one) => one === values.status);
  const key = JSON.stringify(values);
  const isSearch = values.search.length >= minSearchLength;
  const from = useMemo(() => startOfPeriod(values.period, Date.now()), [key]);
  const [stopped, setStopped] = useState<string>();
  const query = {
    limit: pageSize,
    ...(isSearch && { search: values.search }),
    ...(status !== undefined && { status }),
    ...(from !== undefined && { from }),
  };
  const pages = useLiveList<Delivery>({
    key,
    pageSize,
    isSearch,
    list: (signal) =>
      searchWithin((both) => docmill.deliveries.list(query, { signal: both }), {
        signal,
        limitMs: searchLimitMs,
        onStop: () => setStopped(key),
      }),
    get: (id, signal) => docmill.deliveries.get(id, { signal }),
    hasEnded: ({ finishedAt }) => finishedAt !== undefined,
  });
  return (
    <>
      <PageHeader title={deliveryTexts.title} about={deliveryTexts.about} />
      <search class="filters">
        <div class="wide">
          <SearchField
            value={values.search}
            placeholder={deliveryTexts.searchPlaceholder}
            onSearch={(search) => set({ search })}
          />
        </div>
        <SelectField
          label={deliveryTexts.status}
          value={status ?? ''}
          options={[['', listTexts.all], ...statuses.map((one) => [one, deliveryTexts.statuses[one]] as const)]}
          onSelect={(next) => set({ status: next })}
        />
        <PeriodField value={values.period} onSelect={(period) => set({ period })} />
      </search>
      <LiveRows
        pages={pages}
        label={deliveryTexts.title}
        empty={
          isFiltered ? (
            <EmptyState title={listTexts.nothingFound} icon={<SearchX aria-hidden="true" />}>
              <p>{listTexts.nothingFoundText}</p>
              <Button onClick={clear}>{listTexts.clear}</Button>
            </EmptyState>
          ) : (
            <EmptyState title={deliveryTexts.emptyTitle} icon={<Mail aria-hidden="true" />}>
              <p>{deliveryTexts.emptyText}</p>
            </EmptyState>
          )
        }
        note={stopped === key && <p class="note warn small">{listTexts.stopped}</p>}
        row={(delivery) => <DeliveryRow delivery={delivery} />}
      />
    </>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, status, attempts, createdAt, documentId } = delivery;
  const reply = failureOf(delivery);
  return (
    <>
      <div>
        <Link class="row-link" href={`/deliveries/${id}`}>
          {recipientsOf(delivery)}
        </Link>
        <p class="row-about">
          <span>{documentId}</span>
          <span>{listTexts.attempts(attempts)}</span>
        </p>
      </div>
      <div class="row-side">
        <DeliveryStatus status={status} />
        <Time value={createdAt} isExact />
      </div>
      {status !== 'sent' && reply !== undefined && <p class="row-error">{reply}</p>}
    </>
  );
}
