import '../templates.css';
import { type components, NotFoundError } from '@docmill/client';
import { ArrowDownToLine, GitCompareArrows, Star } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useParams, useSearch } from 'wouter-preact';
import { hasScope, useDocmill } from '../../session/session.ts';
import { reviewTexts } from '../../texts/reviews.ts';
import { versionTexts } from '../../texts/templates.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { contentTypes } from '../../ui/content-types.ts';
import { formatBytes, formatNumber } from '../../ui/format.ts';
import { ListStart } from '../../ui/list-start.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useLoad } from '../../ui/use-load.ts';
import { usePages } from '../../ui/use-pages.ts';
import { MissingTemplate } from '../missing-template.tsx';
import { ReviewBadge } from '../review-badge.tsx';
import { isLive, reviewPath } from '../review-path.ts';
import { Comparison } from './comparison.tsx';
import { ReviewPanel } from './review-panel.tsx';

type Version = components['schemas']['TemplateVersion'];

const pageSize = 25;

export default function VersionListPage() {
  const { id = '' } = useParams();
  const docmill = useDocmill();
  const { value, error, reload } = useLoad((signal) => docmill.templates.getWithEtag(id, { signal }), id);
  const template = value?.template;
  const [changes, setChanges] = useState(0);
  const list = (signal: AbortSignal) => docmill.templates.versions(id, { limit: pageSize }, { signal });
  const versions = usePages(list, pageSize, `${id} ${changes}`);
  const [promoted, setPromoted] = useState<number>();
  const search = useSearch();
  const compared = readCompared(search);
  const reviewed = Number(new URLSearchParams(search).get('review'));
  if (error instanceof NotFoundError) return <MissingTemplate />;
  if (template === undefined) {
    if (error !== undefined) return <ErrorNote error={error} onRetry={reload} />;
    return <Skeleton lines={8} />;
  }
  const current = template.version;
  return (
    <>
      <PageHeader
        title={versionTexts.title}
        parent={<Link href={`/templates/${id}`}>{template.name}</Link>}
        about={versionTexts.about}
      />
      {isVersion(reviewed) && (
        <ReviewPanel
          key={reviewed}
          id={id}
          version={reviewed}
          ifMatch={value?.entityTag === '' ? undefined : value?.entityTag}
          onDone={() => {
            reload();
            setChanges((count) => count + 1);
          }}
        />
      )}
      {compared !== undefined && (
        <Comparison key={`${compared.before} ${compared.after}`} id={id} current={current} {...compared} />
      )}
      <ListStart pages={versions} loading={<Skeleton lines={4} />} />
      {versions.entries.length > 0 && (
        <div class="table-scroll">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{versionTexts.version}</th>
                <th scope="col">{versionTexts.uploaded}</th>
                <th scope="col">{versionTexts.size}</th>
                <th scope="col">{versionTexts.fields}</th>
                <th scope="col">
                  <span class="visually-hidden">{versionTexts.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {versions.entries.map((one) => (
                <VersionRow
                  key={one.version}
                  template={template}
                  one={one}
                  onPromote={() => setPromoted(one.version)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {versions.entries.length === 1 && <p class="muted version-note">{versionTexts.only}</p>}
      <MoreButton hasMore={versions.hasMore} isBusy={versions.isLoading} onMore={versions.more} />
      {promoted !== undefined && (
        <ConfirmDialog
          title={versionTexts.promoteTitle(promoted)}
          text={versionTexts.promoteText}
          action={versionTexts.promote}
          onClose={() => setPromoted(undefined)}
          onConfirm={async () => {
            await docmill.templates.promote(id, promoted);
            showToast(versionTexts.promoted(promoted));
            reload();
          }}
        />
      )}
    </>
  );
}

interface VersionRowProps {
  readonly template: components['schemas']['TemplateDetail'];
  readonly one: Version;
  readonly onPromote: () => void;
}

function VersionRow({ template, one, onPromote }: VersionRowProps) {
  const { id, name, version: current } = template;
  const docmill = useDocmill();
  const { version, createdAt, size, tags, reviewState, approval } = one;
  const isCurrent = version === current;
  const canPromote = !isCurrent && (reviewState === undefined || reviewState === 'approved');
  const { run, isBusy, error } = useAction(async () => {
    const bytes = await docmill.templates.downloadVersion(id, version);
    saveFile(new Blob([bytes], { type: contentTypes.docx }), name.replace(/\.docx$/i, ` ${version}.docx`));
  });
  const [before, after] = version < current ? [version, current] : [current, version];
  return (
    <tr>
      <th scope="row">
        {formatNumber(version)} {isCurrent && isLive(template) && <Badge tone="good">{versionTexts.current}</Badge>}{' '}
        <ReviewBadge state={reviewState} approval={approval} />
      </th>
      <td>
        <Time value={createdAt} isExact />
      </td>
      <td class="number">{formatBytes(size)}</td>
      <td class="number">{formatNumber(tags.length)}</td>
      <td>
        <span class="row-actions">
          {!isCurrent && hasScope('generate') && (
            <Link
              class="button plain"
              href={`/templates/${id}/versions?before=${before}&after=${after}`}
              aria-label={versionTexts.compareWith(version)}
            >
              <GitCompareArrows aria-hidden="true" />
              {versionTexts.compare}
            </Link>
          )}
          {reviewState !== undefined && (
            <Link
              class="button plain"
              href={reviewPath(template, version)}
              aria-label={reviewTexts.reviewNamed(version)}
            >
              {reviewTexts.review}
            </Link>
          )}
          {canPromote && hasScope('templates:write') && (
            <Button icon={<Star />} aria-label={versionTexts.promoteNamed(version)} onClick={onPromote}>
              {versionTexts.promote}
            </Button>
          )}
          <IconButton
            label={versionTexts.download(version)}
            icon={<ArrowDownToLine />}
            isBusy={isBusy}
            onClick={() => run()}
          />
        </span>
        {error !== undefined && <ErrorNote error={error} />}
      </td>
    </tr>
  );
}

/** Parses `?before=1&after=3` of the address. */
function readCompared(search: string): { before: number; after: number } | undefined {
  const query = new URLSearchParams(search);
  const [before, after] = ['before', 'after'].map((name) => Number(query.get(name)));
  return isVersion(before) && isVersion(after) ? { before, after } : undefined;
}

const isVersion = (value: number | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0;
