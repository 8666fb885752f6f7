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

export function BatchBadge({ status }: { readonly status: keyof typeof batchTones }) {
  return <Badge tone={batchTones[status]}>{batchTexts.statuses[status]}</Badge>;
}

export function RowBadge({ status }: { readonly status: keyof typeof rowTones }) {
  return <Badge tone={rowTones[status]}>{batchTexts.rowStatuses[status]}</Badge>;
}
