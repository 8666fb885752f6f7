import '../templates/templates.css';
import { useState } from 'preact/hooks';
import { Link, useParams, useSearch } from 'wouter-preact';
import { serviceUrl } from '../session/addresses.ts';
import { accountId, hasScope, useDocmill } from '../session/session.ts';
import { ReplaceDialog } from '../templates/dialogs/replace-dialog.tsx';
import { playgroundTexts } from '../texts/playground.ts';
import { shellTexts } from '../texts/shell.ts';
import { templateTexts } from '../texts/templates.ts';
import { DropOverlay } from '../ui/drop-overlay.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { DroppedFile } from '../ui/read-drop.ts';
import { EmptyState, ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { usePageDrop } from '../ui/use-page-drop.ts';
import { loadTemplate } from './load-template.ts';
import { takeOpenedFile } from './opened-file.ts';
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
  const [opened, setOpened] = useState(() => takeOpenedFile(id));
  const [saved, setSaved] = useState<DroppedFile>();
  const isOver = usePageDrop((file, handle) => setOpened({ file, handle }));
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
          accountId={accountId.value}
          opened={opened}
          onSave={hasScope('templates:write') ? setSaved : undefined}
        />
      )}
      {value !== undefined && saved !== undefined && (
        <ReplaceDialog
          template={{ id, name: value.name, delimiters: value.syntax.delimiters ?? '{ }' }}
          ifMatch={undefined}
          dropped={saved}
          onDone={() => undefined}
          onClose={() => setSaved(undefined)}
        />
      )}
      {isOver && <DropOverlay text={templateTexts.dropFollows} />}
    </>
  );
}
