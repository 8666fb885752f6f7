import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { shellTexts } from '../../texts/shell.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { usePages } from '../../ui/use-pages.ts';
import { saveFile } from '../save-file.ts';
import { RowBadge } from '../status-badge.tsx';
import type { Batch } from './follow-batch.ts';

const pageSize = 20;
const statuses = ['succeeded', 'failed', 'cancelled', 'running', 'queued'] as const;
type Status = (typeof statuses)[number];

/** Every row with its document. */
export function BatchRows({ batch }: { readonly batch: Batch }) {
  const docmill = useDocmill();
  const [status, setStatus] = useState<Status>();
  const [failure, setFailure] = useState<unknown>();
  const { entries, error, isLoading, hasMore, more, reload } = usePages(
    (signal) =>
      docmill.batches.items(batch.id, { limit: pageSize, ...(status !== undefined && { status }) }, { signal }),
    pageSize,
    `${batch.id} ${status}`,
  );
  const save = async (jobId: string, filename: string): Promise<void> => {
    setFailure(undefined);
    try {
      saveFile(new Blob([await docmill.jobs.download(jobId)]), filename);
    } catch (problem) {
      setFailure(problem);
    }
  };
  return (
    <section class="card step" aria-label={batchTexts.documentsTitle}>
      <div class="mapping-head">
        <h2>{batchTexts.documentsTitle}</h2>
        <label class="inline-field small">
          {batchTexts.status}
          <select
            value={status ?? ''}
            onChange={({ currentTarget }) => setStatus(statuses.find((one) => one === currentTarget.value))}
          >
            <option value="">{batchTexts.anyStatus}</option>
            {statuses.map((one) => (
              <option key={one} value={one}>
                {batchTexts.rowStatuses[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {failure !== undefined && <ErrorNote error={failure} />}
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && entries.length === 0 && <Skeleton lines={5} />}
      {!isLoading && error === undefined && entries.length === 0 && <p class="muted">{batchTexts.noRows}</p>}
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
              {entries.map(({ row, jobId, filename, status: state, size }) => (
                <tr key={row}>
                  <td class="number">{row}</td>
                  <td class="any-text">{filename}</td>
                  <td>
                    <RowBadge status={state} />
                  </td>
                  <td class="number">{size === undefined ? '' : formatBytes(size)}</td>
                  <td>
                    {state === 'succeeded' && (
                      <IconButton
                        label={batchTexts.downloadRow(row)}
                        icon={<Download aria-hidden="true" />}
                        onClick={() => void save(jobId, filename)}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && (
        <p>
          <Button isBusy={isLoading} onClick={more}>
            {shellTexts.more}
          </Button>
        </p>
      )}
    </section>
  );
}
