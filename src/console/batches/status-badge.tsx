import { batchTexts } from '../texts/batches.ts';
import { Badge } from '../ui/badge.tsx';
import type { Tone } from '../ui/tone.ts';

const batchTones = {
  accepted: 'neutral',
  running: 'info',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
} as const satisfies Record<string, Tone>;
const rowTones = {
  queued: 'neutral',
  running: 'info',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
} as const satisfies Record<string, Tone>;

interface BatchBadgeProps {
  readonly status: keyof typeof batchTones;
  /** Undefined while it is unknown. */
  readonly failedRows: number | undefined;
}

/** The status of a batch. One that is completed is good only if no row failed. */
export function BatchBadge({ status, failedRows }: BatchBadgeProps) {
  if (status !== 'completed' || failedRows === 0) {
    return <Badge tone={batchTones[status]}>{batchTexts.statuses[status]}</Badge>;
  }
  if (failedRows === undefined) return <Badge tone="neutral">{batchTexts.statuses.completed}</Badge>;
  return <Badge tone="warn">{batchTexts.completedWith(failedRows)}</Badge>;
}

export function RowBadge({ status }: { readonly status: keyof typeof rowTones }) {
  return <Badge tone={rowTones[status]}>{batchTexts.rowStatuses[status]}</Badge>;
}
