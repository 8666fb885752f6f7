import { FileText } from 'lucide-preact';
import { useDocmill } from '../session/session.ts';
import { templateTexts } from '../texts/templates.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../ui/states.tsx';
import { usePages } from '../ui/use-pages.ts';

const pageSize = 24;

export default function TemplateListPage() {
  const docmill = useDocmill();
  const { entries, error, isLoading, reload } = usePages(
    (signal) => docmill.templates.list({ limit: pageSize }, { signal }),
    pageSize,
    '',
  );
  return (
    <>
      <PageHeader title={templateTexts.title} />
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && entries.length === 0 && <Skeleton lines={8} />}
      {!isLoading && error === undefined && entries.length === 0 && (
        <EmptyState title={templateTexts.emptyTitle} icon={<FileText aria-hidden="true" />}>
          <p>{templateTexts.emptyText}</p>
        </EmptyState>
      )}
      <ul>
        {entries.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </>
  );
}
