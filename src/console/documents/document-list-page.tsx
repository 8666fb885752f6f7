import './documents.css';
import type { components } from '@docmill/client';
import { FileStack, SearchX } from 'lucide-preact';
import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { hasScope, useDocmill } from '../session/session.ts';
import { shownName, useTemplateNames } from '../session/use-template-names.ts';
import { documentTexts } from '../texts/documents.ts';
import { listTexts } from '../texts/lists.ts';
import { Button } from '../ui/button.tsx';
import { LiveRows } from '../ui/live-rows.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { searchWithin } from '../ui/search-within.ts';
import { EmptyState } from '../ui/states.tsx';
import { type Filters, useFilters } from '../ui/use-filters.ts';
import { useLiveList } from '../ui/use-live-list.ts';
import { DocumentFilters } from './document-filters.tsx';
import { DocumentRow } from './document-row.tsx';
import { type FilterName, filterNames, toJobQuery } from './job-query.ts';

type Job = components['schemas']['Job'];

const pageSize = 25;
const searchLimitMs = 10_000;

export default function DocumentListPage() {
  const docmill = useDocmill();
  const filters = useFilters(filterNames);
  const key = JSON.stringify(filters.values);
  // Fixes the start of the period when the filter is chosen, so that the list stays the same while it is shown.
  const query = useMemo(() => ({ ...toJobQuery(filters.values, Date.now()), limit: pageSize }), [key]);
  const [stopped, setStopped] = useState<string>();
  const { search, batch, format, test } = filters.values;
  // The service has no index for these filters, so it reads page after page until it finds enough entries.
  const isSearch = [search, batch, format, test].some((value) => value !== '');
  const pages = useLiveList<Job>({
    key,
    pageSize,
    isSearch,
    list: (signal) =>
      isSearch
        ? searchWithin((both) => docmill.jobs.list(query, { signal: both }), {
            signal,
            limitMs: searchLimitMs,
            onStop: () => setStopped(key),
          })
        : docmill.jobs.list(query, { signal }),
    get: (id, signal) => docmill.jobs.get(id, { signal }),
    hasEnded: ({ finishedAt }) => finishedAt !== undefined,
  });
  const names = useTemplateNames(pages.entries.map(({ templateId }) => templateId));
  return (
    <>
      <PageHeader title={documentTexts.title} about={documentTexts.about} />
      <DocumentFilters filters={filters} />
      <LiveRows
        pages={pages}
        label={documentTexts.title}
        empty={<NoDocuments filters={filters} />}
        note={stopped === key && <p class="note warn small">{listTexts.stopped}</p>}
        row={(job) => <DocumentRow job={job} templateName={shownName(names, job.templateId)} />}
      />
    </>
  );
}

function NoDocuments({ filters }: { readonly filters: Filters<FilterName> }) {
  if (filters.isFiltered) {
    return (
      <EmptyState title={listTexts.nothingFound} icon={<SearchX aria-hidden="true" />}>
        <p>{listTexts.nothingFoundText}</p>
        <Button onClick={filters.clear}>{listTexts.clear}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={documentTexts.emptyTitle} icon={<FileStack aria-hidden="true" />}>
      <p>{documentTexts.emptyText}</p>
      {hasScope('templates:read') && (
        <Link class="button primary" href="/templates">
          {documentTexts.toTemplates}
        </Link>
      )}
    </EmptyState>
  );
}
