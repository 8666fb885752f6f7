import { batchTexts } from '../texts/batches.ts';
import { formatNumber } from '../ui/format.ts';

/** The share of rows that have ended. */
export function ProgressBar({ done, all }: { readonly done: number; readonly all: number }) {
  const text = batchTexts.progressOf(formatNumber(done), formatNumber(all));
  return (
    <span class="progress-bar">
      <progress max={all} value={done} aria-label={batchTexts.progress} />
      <span class="number small">{text}</span>
    </span>
  );
}
