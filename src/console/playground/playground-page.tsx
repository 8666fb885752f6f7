import { Link, useParams, useSearch } from 'wouter-preact';
import { useDocmill } from '../session/session.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { Playground } from './playground.tsx';

/** `/templates/:id/playground`, with `?version=` of an older version. */
export default function PlaygroundPage() {
  const docmill = useDocmill();
  const { id = '' } = useParams();
  const wanted = Number(new URLSearchParams(useSearch()).get('version') ?? Number.NaN);
  const version = Number.isInteger(wanted) && wanted > 0 ? wanted : undefined;
  const { value, error, reload } = useLoad(async (signal) => {
    const [template, { example }] = await Promise.all([
      docmill.templates.get(id, { signal }),
      docmill.templates.schema(id, version === undefined ? undefined : { version }, { signal }),
    ]);
    return { template, example: example as object };
  }, `${id} ${version}`);
  return (
    <>
      <PageHeader
        title={playgroundTexts.title}
        parent={value !== undefined && <Link href={`/templates/${id}`}>{value.template.name}</Link>}
      />
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton lines={10} />}
      {value !== undefined && (
        <Playground docmill={docmill} templateId={id} version={version} example={value.example} />
      )}
    </>
  );
}
