import { batchTexts } from '../../texts/batches.ts';
import { formatDuration, formatNumber } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { ProgressBar } from '../progress-bar.tsx';
import { type Batch, endedRows, hasEnded } from './follow-batch.ts';

const states = ['succeeded', 'failed', 'running', 'queued', 'cancelled'] as const;

/** The progress of a batch, its speed, and the estimated time of its end. */
export function BatchProgress({ batch }: { readonly batch: Batch }) {
  const { counts, rows } = batch;
  const done = endedRows(batch);
  return (
    <section class="card step" aria-label={batchTexts.progress}>
      {!hasEnded(batch) && <ProgressBar done={done} all={rows} />}
      <p class="muted" role="status">
        {sentenceOf(batch, done)}
      </p>
      {batch.error !== undefined && <ErrorNote error={new Error(batch.error.message)} />}
      <dl class="figures">
        {states
          .filter((state) => counts[state] > 0 || state === 'succeeded')
          .map((state) => (
            <div key={state} class={state === 'failed' ? 'figure-bad' : undefined}>
              <dt>{batchTexts.counts[state]}</dt>
              <dd class="number">{formatNumber(counts[state])}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function sentenceOf(batch: Batch, done: number): string {
  const { status, rowsPerSecond, estimatedFinishAt, createdAt, finishedAt } = batch;
  if (hasEnded(batch) && finishedAt !== undefined) {
    return batchTexts.took(formatDuration(Date.parse(finishedAt) - Date.parse(createdAt)));
  }
  if (done === batch.rows) return batchTexts.bundling;
  if (status === 'accepted') return batchTexts.waiting;
  const parts: string[] = [];
  if (rowsPerSecond !== undefined) parts.push(batchTexts.rate(formatNumber(rowsPerSecond)));
  if (estimatedFinishAt !== undefined) {
    parts.push(batchTexts.timeLeft(formatDuration(Math.max(0, Date.parse(estimatedFinishAt) - Date.now()))));
  }
  return parts.length === 0 ? batchTexts.statuses.running : parts.join(' · ');
}
