import type { components } from '@docmill/client';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useDocmill } from '../../session/session.ts';
import { shownName, useTemplateNames } from '../../session/use-template-names.ts';
import { batchTexts } from '../../texts/batches.ts';
import { formatNumber } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { usePolling } from '../../ui/use-polling.ts';
import { type Batch, endedRows } from '../batch/follow-batch.ts';
import { ProgressBar } from '../progress-bar.tsx';
import { BatchBadge } from '../status-badge.tsx';

type BatchSummary = components['schemas']['BatchSummary'];

const refreshMs = 3_000;

interface BatchTableProps {
  readonly batches: readonly BatchSummary[];
  /** Called when a running batch has ended. */
  readonly onEnd: () => void;
}

export function BatchTable({ batches, onEnd }: BatchTableProps) {
  const names = useTemplateNames(batches.map(({ templateId }) => templateId));
  return (
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
          {batches.map((batch) => (
            <tr key={batch.id}>
              <th scope="row">
                <Link href={`/batches/${batch.id}`}>{shownName(names, batch.templateId)}</Link>
              </th>
              {batch.finishedAt === undefined ? (
                <td colSpan={2}>
                  <RunningBatch batch={batch} onEnd={onEnd} />
                </td>
              ) : (
                <>
                  <td>
                    <EndedBadge batch={batch} />
                  </td>
                  <td class="number">{formatNumber(batch.rows)}</td>
                </>
              )}
              <td class="output">{batchTexts.outputOf(batch.format, batchTexts.bundles[batch.bundle])}</td>
              <td>
                <Time value={batch.createdAt} isExact />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The status of a batch that has ended. Lists do not say how many rows failed. */
function EndedBadge({ batch: { id, status, finishedAt } }: { readonly batch: BatchSummary }) {
  const docmill = useDocmill();
  const { value } = useLoad(
    async (signal) => (status === 'completed' ? (await docmill.batches.get(id, { signal })).counts.failed : undefined),
    `${id} ${finishedAt}`,
  );
  return <BatchBadge status={status} failedRows={value} />;
}

interface RunningBatchProps {
  readonly batch: BatchSummary;
  readonly onEnd: () => void;
}

/** The progress of a batch, polled periodically. */
function RunningBatch({ batch: { id, rows, status }, onEnd }: RunningBatchProps) {
  const docmill = useDocmill();
  const [latest, setLatest] = useState<Batch>();
  usePolling(
    async (signal) => {
      const batch = await docmill.batches.get(id, { signal, maxRetries: 0 });
      if (signal.aborted) return;
      setLatest(batch);
      if (batch.finishedAt !== undefined) onEnd();
    },
    { everyMs: refreshMs, startsAtOnce: true },
  );
  return (
    <div class="running">
      <BatchBadge status={latest?.status ?? status} failedRows={latest?.counts.failed} />
      <ProgressBar done={latest === undefined ? 0 : endedRows(latest)} all={rows} />
    </div>
  );
}
