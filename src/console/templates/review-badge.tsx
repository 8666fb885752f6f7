import type { components } from '@docmill/client';
import { reviewTexts } from '../texts/reviews.ts';
import { Badge } from '../ui/badge.tsx';
import type { Tone } from '../ui/tone.ts';

type State = components['schemas']['ReviewState'];

const tones: Readonly<Record<State, Tone>> = { draft: 'neutral', review: 'info', approved: 'good', refused: 'bad' };

interface ReviewBadgeProps {
  readonly state: State | undefined;
  readonly approval?: components['schemas']['Approval'] | undefined;
}

/** The state of a version; nothing for one that needs no approval. */
export function ReviewBadge({ state, approval }: ReviewBadgeProps) {
  if (approval?.overrideReason !== undefined) return <Badge tone="bad">{reviewTexts.overridden}</Badge>;
  return state === undefined ? null : <Badge tone={tones[state]}>{reviewTexts.states[state]}</Badge>;
}
