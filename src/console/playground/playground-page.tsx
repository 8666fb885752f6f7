import { Link, useParams, useSearch } from 'wouter-preact';
import { serviceUrl } from '../session/addresses.ts';
import { accountId, hasScope, useDocmill } from '../session/session.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { shellTexts } from '../texts/shell.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { loadTemplate } from './load-template.ts';
import { Playground } from './playground.tsx';

/** `/templates/:id/playground`, with `?version=` for an older version. */
export default function PlaygroundPage() {
  const isAllowed = hasScope('templates:read') && hasScope('generate');
  if (isAllowed) return <TemplatePlayground />;
  return (
    <>
      <PageHeader title={playgroundTexts.title} />
      <EmptyState title={shellTexts.forbidden} />
    </>
  );
}

function TemplatePlayground() {
  const docmill = useDocmill();
  const { id = '' } = useParams();
  const wanted = Number(new URLSearchParams(useSearch()).get('version') ?? Number.NaN);
  const version = Number.isInteger(wanted) && wanted > 0 ? wanted : undefined;
  const { value, error, reload } = useLoad((signal) => loadTemplate(docmill, id, version, signal), `${id} ${version}`);
  return (
    <>
      <PageHeader
        title={playgroundTexts.title}
        parent={value !== undefined && <Link href={`/templates/${id}`}>{value.name}</Link>}
      />
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton lines={12} />}
      {value !== undefined && (
        <Playground
          docmill={docmill}
          template={value}
          serviceUrl={serviceUrl}
          canSave={hasScope('templates:write')}
          accountId={accountId.value}
        />
      )}
    </>
  );
}
