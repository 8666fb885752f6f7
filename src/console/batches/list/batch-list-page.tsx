import '../batches.css';
import { Download, Layers, Plus } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { hasScope, isTestKey, useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { shellTexts } from '../../texts/shell.ts';
import { Button } from '../../ui/button.tsx';
import { formatNumber } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { usePages } from '../../ui/use-pages.ts';
import { ProgressBar } from '../progress-bar.tsx';
import { saveFile } from '../save-file.ts';
import { type PickedTemplate, TemplatePicker } from '../start/template-picker.tsx';
import { BatchBadge } from '../status-badge.tsx';
import { TemplateName, useTemplateName } from '../template-name.tsx';

const pageSize = 25;
const refreshMs = 3_000;
const statuses = ['accepted', 'running', 'completed', 'failed', 'cancelled'] as const;
type Status = (typeof statuses)[number];

export default function BatchListPage() {
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const status = statuses.find((one) => one === search.get('status'));
  const templateId = search.get('template') ?? undefined;
  const isFiltered = status !== undefined || templateId !== undefined;
  const { entries, error, isLoading, hasMore, more, reload } = usePages(
    (signal) =>
      docmill.batches.list(
        { limit: pageSize, ...(status !== undefined && { status }), ...(templateId !== undefined && { templateId }) },
        { signal },
      ),
    pageSize,
    search.toString(),
  );
  const choose = (next: Status | undefined): void => {
    const query = new URLSearchParams(search);
    if (next === undefined) query.delete('status');
    else query.set('status', next);
    navigate(`/batches${query.size === 0 ? '' : `?${query}`}`);
  };
  const isEmpty = !isLoading && error === undefined && entries.length === 0;
  return (
    <>
      <PageHeader title={batchTexts.title} about={batchTexts.about}>
        <Link class="button primary" href="/batches/new">
          <Plus aria-hidden="true" />
          {batchTexts.newBatch}
        </Link>
      </PageHeader>
      {(isFiltered || !isEmpty) && (
        <div class="filters">
          <label class="inline-field">
            {batchTexts.status}
            <select
              value={status ?? ''}
              onChange={({ currentTarget }) => choose(statuses.find((one) => one === currentTarget.value))}
            >
              <option value="">{batchTexts.anyStatus}</option>
              {statuses.map((one) => (
                <option key={one} value={one}>
                  {batchTexts.statuses[one]}
                </option>
              ))}
            </select>
          </label>
          {templateId !== undefined && <TemplateFilter id={templateId} />}
          {isFiltered && <Link href="/batches">{batchTexts.showAll}</Link>}
        </div>
      )}
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && entries.length === 0 && <Skeleton lines={8} />}
      {isEmpty && isFiltered && (
        <EmptyState title={batchTexts.noMatchTitle} icon={<Layers aria-hidden="true" />}>
          <p>{batchTexts.noMatchText}</p>
        </EmptyState>
      )}
      {isEmpty && !isFiltered && <FirstBatch />}
      {entries.length > 0 && (
        <div class="table-scroll">
          <table class="table batch-table">
            <thead>
              <tr>
                <th scope="col">{batchTexts.template}</th>
                <th scope="col">{batchTexts.status}</th>
                <th scope="col">{batchTexts.rowsColumn}</th>
                <th scope="col" class="output">
                  {batchTexts.output}
                </th>
                <th scope="col">{batchTexts.started}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((batch) => (
                <tr key={batch.id}>
                  <th scope="row">
                    <Link href={`/batches/${batch.id}`}>
                      <TemplateName id={batch.templateId} />
                    </Link>
                  </th>
                  {batch.finishedAt === undefined ? (
                    <td colSpan={2}>
                      <RunningBatch id={batch.id} rows={batch.rows} status={batch.status} onEnd={reload} />
                    </td>
                  ) : (
                    <>
                      <td>
                        <BatchBadge status={batch.status} />
                      </td>
                      <td class="number">{formatNumber(batch.rows)}</td>
                    </>
                  )}
                  <td class="output">{batchTexts.outputOf(batch.format, batchTexts.bundles[batch.bundle])}</td>
                  <td>
                    <Time value={batch.createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && (
        <p class="more">
          <Button isBusy={isLoading} onClick={more}>
            {shellTexts.more}
          </Button>
        </p>
      )}
    </>
  );
}

function TemplateFilter({ id }: { readonly id: string }) {
  const name = useTemplateName(id);
  return <span>{batchTexts.ofTemplate(name)}</span>;
}

interface RunningBatchProps {
  readonly id: string;
  readonly rows: number;
  readonly status: Status;
  readonly onEnd: () => void;
}

/** Asks now and then how far a batch is, while it is shown. */
function RunningBatch({ id, rows, status, onEnd }: RunningBatchProps) {
  const docmill = useDocmill();
  const [done, setDone] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const { counts, finishedAt } = await docmill.batches.get(id, { signal: controller.signal, maxRetries: 0 });
        if (finishedAt !== undefined) return onEnd();
        setDone(rows - counts.queued - counts.running);
      } catch {
        // The next question may be answered.
      }
      if (!controller.signal.aborted) timer = setTimeout(() => void ask(), refreshMs);
    };
    void ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [docmill, id, rows, onEnd]);
  return (
    <div class="running">
      <BatchBadge status={status} />
      <ProgressBar done={done} all={rows} />
    </div>
  );
}

/** Teaches the first step: a template and a file with the header of its tags. */
function FirstBatch() {
  return (
    <EmptyState title={batchTexts.emptyTitle} icon={<Layers aria-hidden="true" />}>
      <p>{batchTexts.emptyText}</p>
      {hasScope('templates:read') && !isTestKey.value && (
        <div class="card first-batch">
          <TemplatePicker action={(template) => <FirstActions template={template} />} />
        </div>
      )}
    </EmptyState>
  );
}

function FirstActions({ template: { id, name } }: { readonly template: PickedTemplate }) {
  const docmill = useDocmill();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async (): Promise<void> => {
    setIsBusy(true);
    setError(undefined);
    try {
      const [{ schema, example }, { sampleCsv }] = await Promise.all([
        docmill.templates.schema(id),
        import('../start/sample-file.ts'),
      ]);
      saveFile(new Blob([sampleCsv(schema, example)], { type: 'text/csv' }), `${name.replace(/\.docx$/i, '')}.csv`);
    } catch (failure) {
      setError(failure);
    }
    setIsBusy(false);
  };
  return (
    <div class="actions">
      <Button
        isBusy={isBusy}
        icon={<Download aria-hidden="true" />}
        aria-label={batchTexts.sampleOf(name)}
        onClick={() => void save()}
      >
        {batchTexts.sampleShort}
      </Button>
      <Link class="button plain" href={`/batches/new?template=${id}`} aria-label={`${batchTexts.choose} ${name}`}>
        {batchTexts.choose}
      </Link>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}
