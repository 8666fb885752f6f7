import { RotateCcw } from 'lucide-preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../../session/new-idempotency-key.ts';
import { hasScope, useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { FailedFile } from './failed-file.tsx';
import type { Batch } from './follow-batch.ts';
import { type FailedRow, type FailureGroup, groupFailures } from './group-failures.ts';

/** The service's page size limit. */
const readRowsLimit = 1_000;
const shownRows = 20;

interface FailedRowsProps {
  readonly batch: Batch;
  readonly onRetried: () => void;
}

/** The failed rows grouped by reason, which can be retried or exported to a file. */
export function FailedRows({ batch, onRetried }: FailedRowsProps) {
  const docmill = useDocmill();
  const { id, counts } = batch;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const { value, error, reload } = useLoad(async (signal) => {
    const rows: FailedRow[] = [];
    for await (const row of docmill.batches.rows(id, { status: 'failed', limit: readRowsLimit }, { signal })) {
      rows.push(row);
      if (rows.length === readRowsLimit) break;
    }
    return rows;
  }, id);
  const groups = useMemo(() => groupFailures(value ?? [], batchTexts.statuses.failed), [value]);
  const toggle = (rows: readonly FailedRow[], isChosen: boolean): void => {
    const next = new Set(chosen);
    for (const { row } of rows) {
      if (isChosen) next.add(row);
      else next.delete(row);
    }
    setChosen(next);
  };
  return (
    <section class="card step reasons" aria-label={batchTexts.failedTitle(counts.failed)}>
      <div>
        <h2>{batchTexts.failedTitle(counts.failed)}</h2>
        <p class="muted small">
          {batchTexts.failedAbout}
          {counts.failed > readRowsLimit && ` ${batchTexts.failedShown(readRowsLimit)}`}
        </p>
      </div>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton lines={3} />}
      {groups.map((group) => (
        <Reason key={group.reason} group={group} chosen={chosen} onToggle={toggle} />
      ))}
      {hasScope('generate') &&
        (error !== undefined || counts.failed > readRowsLimit || groups.some(({ mayPassLater }) => mayPassLater)) && (
          <RetryButton batch={batch} onRetried={onRetried} />
        )}
      <FailedFile batch={batch} chosen={chosen} />
    </section>
  );
}

interface ReasonProps {
  readonly group: FailureGroup;
  readonly chosen: ReadonlySet<number>;
  readonly onToggle: (rows: readonly FailedRow[], isChosen: boolean) => void;
}

function Reason({ group: { reason, rows, mayPassLater }, chosen, onToggle }: ReasonProps) {
  const [shown, setShown] = useState(shownRows);
  return (
    <div class="reason">
      <label class="check">
        <input
          type="checkbox"
          checked={rows.every(({ row }) => chosen.has(row))}
          aria-label={batchTexts.chooseReason(reason)}
          onChange={({ currentTarget }) => onToggle(rows, currentTarget.checked)}
        />
        <span class="any-text">{reason}</span>
      </label>
      {!mayPassLater && <p class="muted small">{batchTexts.mustCorrect}</p>}
      <details>
        <summary class="small">{batchTexts.reasonRows(rows.length)}</summary>
        <ul class="reason-rows">
          {rows.slice(0, shown).map((row) => (
            <li key={row.row}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={chosen.has(row.row)}
                  aria-label={batchTexts.chooseRow(row.row)}
                  onChange={({ currentTarget }) => onToggle([row], currentTarget.checked)}
                />
                <span class="number">{row.row}</span>
                <span class="any-text muted">{row.filename}</span>
              </label>
            </li>
          ))}
        </ul>
        <MoreButton hasMore={rows.length > shown} onMore={() => setShown(shown + shownRows * 5)} />
      </details>
    </div>
  );
}

function RetryButton({ batch, onRetried }: FailedRowsProps) {
  const docmill = useDocmill();
  const [isAsking, setIsAsking] = useState(false);
  // The key stays the same until a response arrives, so that clicking again after a lost response retries the rows only
  // once.
  const key = useRef(newIdempotencyKey());
  return (
    <div class="actions">
      <Button icon={<RotateCcw aria-hidden="true" />} onClick={() => setIsAsking(true)}>
        {batchTexts.retryAll}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={batchTexts.retryTitle}
          text={batchTexts.retryText(batch.counts.failed)}
          action={batchTexts.retryAction}
          onConfirm={async () => {
            await docmill.batches.retry(batch.id, { idempotencyKey: key.current });
            showToast(batchTexts.retried);
            onRetried();
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
