import './templates.css';
import { NotFoundError } from '@docmill/client';
import { Download, FileUp, GitCompareArrows, Pencil, Play, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import { passOpenedFile } from '../playground/opened-file.ts';
import { hasScope, useDocmill } from '../session/session.ts';
import { templatePageTexts, templateTexts } from '../texts/templates.ts';
import { Button } from '../ui/button.tsx';
import { contentTypes } from '../ui/content-types.ts';
import { DropOverlay } from '../ui/drop-overlay.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { DroppedFile } from '../ui/read-drop.ts';
import { saveFile } from '../ui/save-file.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { useLoad } from '../ui/use-load.ts';
import { usePageDrop } from '../ui/use-page-drop.ts';
import { DeleteDialog } from './dialogs/delete-dialog.tsx';
import { RenameDialog } from './dialogs/rename-dialog.tsx';
import { ReplaceDialog } from './dialogs/replace-dialog.tsx';
import { LiveEditing } from './live-editing.tsx';
import { MissingTemplate } from './missing-template.tsx';
import { ReviewNote } from './review-note.tsx';
import { TemplateFacts } from './template-facts.tsx';
import { TemplatePages } from './template-pages.tsx';
import { useChecks } from './use-checks.ts';
import { useStatistics } from './use-statistics.ts';

type Open = { readonly kind: 'rename' | 'delete' } | { readonly kind: 'replace'; readonly dropped?: DroppedFile };

export default function TemplatePage() {
  const { id = '' } = useParams();
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<Open>();
  const canWrite = hasScope('templates:write');
  const { value, error, reload } = useLoad((signal) => docmill.templates.getWithEtag(id, { signal }), id);
  const download = useAction(async (name: string) => {
    saveFile(new Blob([await docmill.templates.download(id)], { type: contentTypes.docx }), name);
  });
  const checks = useChecks(value?.template);
  const statistics = useStatistics([id]);
  // Without previews, a file can only be checked as the next version.
  const canFollow = hasScope('generate');
  const follow = (file: DroppedFile): void => {
    passOpenedFile(id, file);
    navigate(`/templates/${id}/playground`);
  };
  const drop = (file: File, handle?: FileSystemFileHandle): void =>
    canFollow ? follow({ file, handle }) : setOpen({ kind: 'replace', dropped: { file, handle } });
  const isOver = usePageDrop((canFollow || canWrite) && value !== undefined ? drop : undefined);
  if (error instanceof NotFoundError) return <MissingTemplate />;
  if (value === undefined) {
    if (error !== undefined) return <ErrorNote error={error} onRetry={reload} />;
    return <Skeleton lines={10} />;
  }
  const { template, entityTag } = value;
  const dialog = {
    id,
    name: template.name,
    ifMatch: entityTag === '' ? undefined : entityTag,
    onClose: () => setOpen(undefined),
  };
  return (
    <>
      <PageHeader
        title={template.name}
        parent={<Link href="/templates">{templateTexts.parent}</Link>}
        about={`${templateTexts.version(template.version)} · ${templateTexts.fields(template.tags.length)}`}
      >
        {canFollow && (
          <Link class="button plain" href={`/templates/${id}/playground`}>
            <Play aria-hidden="true" />
            {templatePageTexts.playground}
          </Link>
        )}
        <Link class="button plain" href={`/templates/${id}/versions`}>
          <GitCompareArrows aria-hidden="true" />
          {templatePageTexts.versions}
        </Link>
        <Button icon={<Download />} isBusy={download.isBusy} onClick={() => download.run(template.name)}>
          {templatePageTexts.download}
        </Button>
        {canWrite && (
          <>
            <Button icon={<FileUp />} onClick={() => setOpen({ kind: 'replace' })}>
              {templatePageTexts.replace}
            </Button>
            <Button icon={<Pencil />} onClick={() => setOpen({ kind: 'rename' })}>
              {templatePageTexts.rename}
            </Button>
            <Button icon={<Trash2 />} onClick={() => setOpen({ kind: 'delete' })}>
              {templatePageTexts.remove}
            </Button>
          </>
        )}
      </PageHeader>
      <ReviewNote template={template} />
      {canFollow && (
        <LiveEditing onOpen={() => download.run(template.name)} isOpening={download.isBusy} onFile={follow} />
      )}
      {download.error !== undefined && <ErrorNote error={download.error} />}
      <div class="template-columns">
        <TemplatePages key={template.version} template={template} warnings={checks.value?.warnings} />
        <TemplateFacts template={template} checks={checks} statistics={statistics.get(id)} />
      </div>
      {open?.kind === 'rename' && <RenameDialog {...dialog} onDone={reload} />}
      {open?.kind === 'delete' && <DeleteDialog {...dialog} onDone={() => navigate('/templates')} />}
      {open?.kind === 'replace' && (
        <ReplaceDialog
          key={open.dropped?.file}
          template={template}
          ifMatch={dialog.ifMatch}
          {...(open.dropped !== undefined && { dropped: open.dropped })}
          onDone={reload}
          onClose={dialog.onClose}
        />
      )}
      {isOver && <DropOverlay text={canFollow ? templateTexts.dropFollows : templateTexts.dropReplaces} />}
    </>
  );
}
