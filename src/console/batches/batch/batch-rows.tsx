import type { components } from '@docmill/client';
import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { listTexts } from '../../texts/lists.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { ListStart } from '../../ui/list-start.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { usePages } from '../../ui/use-pages.ts';
import { RowBadge } from '../status-badge.tsx';
import type { Batch } from './follow-batch.ts';

const pageSize = 20;
const statuses = ['succeeded', 'failed', 'cancelled', 'running', 'queued'] as const;
type Status = (typeof statuses)[number];

/** Every row with its document. */
export function BatchRows({ batch }: { readonly batch: Batch }) {
  const docmill = useDocmill();
  const [status, setStatus] = useState<Status>();
  const pages = usePages(
    (signal) =>
      docmill.batches.rows(batch.id, { limit: pageSize, ...(status !== undefined && { status }) }, { signal }),
    pageSize,
    `${batch.id} ${status}`,
  );
  const { entries, isLoading, hasMore, more } = pages;
  return (
    <section class="card step" aria-label={batchTexts.documentsTitle}>
      <div class="mapping-head">
        <h2>{batchTexts.documentsTitle}</h2>
        <SelectField
          label={batchTexts.status}
          value={status ?? ''}
          options={[['', listTexts.all], ...statuses.map((one) => [one, batchTexts.rowStatuses[one]] as const)]}
          onSelect={(next) => setStatus(statuses.find((one) => one === next))}
        />
      </div>
      <ListStart pages={pages} loading={<Skeleton lines={5} />} empty={<p class="muted">{batchTexts.noRows}</p>} />
      {entries.length > 0 && (
        <div class="table-scroll">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{batchTexts.row}</th>
                <th scope="col">{batchTexts.file}</th>
                <th scope="col">{batchTexts.status}</th>
                <th scope="col">{batchTexts.size}</th>
                <th scope="col">
                  <span class="visually-hidden">{batchTexts.download}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((row) => (
                <Row key={row.row} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <MoreButton hasMore={hasMore} isBusy={isLoading} onMore={more} />
    </section>
  );
}

function Row({ row: { row, jobId, filename, status, size } }: { readonly row: components['schemas']['BatchRow'] }) {
  const docmill = useDocmill();
  const { run, isBusy, error } = useAction(async () => {
    saveFile(new Blob([await docmill.jobs.download(jobId)]), filename);
  });
  return (
    <>
      <tr>
        <td class="number">{row}</td>
        <td class="any-text">{filename}</td>
        <td>
          <RowBadge status={status} />
        </td>
        <td class="number">{size === undefined ? '' : formatBytes(size)}</td>
        <td>
          {status === 'succeeded' && (
            <IconButton
              label={batchTexts.downloadRow(row)}
              icon={<Download aria-hidden="true" />}
              isBusy={isBusy}
              onClick={() => run()}
            />
          )}
        </td>
      </tr>
      {error !== undefined && (
        <tr>
          <td colSpan={5}>
            <ErrorNote error={error} />
          </td>
        </tr>
      )}
    </>
  );
}
