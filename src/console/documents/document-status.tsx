import type { components } from '@docmill/client';
import { documentTexts } from '../texts/documents.ts';
import { Badge } from '../ui/badge.tsx';
import type { Tone } from '../ui/tone.ts';

type Status = components['schemas']['JobStatus'];

const tones: Readonly<Record<Status, Tone>> = {
  queued: 'neutral',
  running: 'info',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

export const DocumentStatus = ({ status }: { readonly status: Status }) => (
  <Badge tone={tones[status]}>{documentTexts.statuses[status]}</Badge>
);
