import type { components } from '@docmill/client';
import { useState } from 'preact/hooks';
import { hasScope, useDocmill } from '../../session/session.ts';
import { reviewTexts } from '../../texts/reviews.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { ReviewBadge } from '../review-badge.tsx';
import { type ReviewStep, ReviewStepDialog } from './review-step-dialog.tsx';

type Review = components['schemas']['Review'];

interface ReviewPanelProps {
  readonly id: string;
  readonly version: number;
  readonly ifMatch: string | undefined;
  readonly onDone: () => void;
}

/** The state of a version, what was said about it, and the steps that the key of this tab may take. */
export function ReviewPanel({ id, version, ifMatch, onDone }: ReviewPanelProps) {
  const docmill = useDocmill();
  const [step, setStep] = useState<ReviewStep>();
  const load = useLoad((signal) => docmill.templates.review(id, version, { signal }), `${id} ${version}`);
  const { value: review, error, reload } = load;
  return (
    <section class="card breaks" aria-label={reviewTexts.title(version)}>
      <h2>{reviewTexts.title(version)}</h2>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {review === undefined && error === undefined && <Skeleton lines={3} />}
      {review !== undefined && (
        <>
          <p>
            <ReviewBadge state={review.state} approval={review.approval} />{' '}
            {review.uploadedBy !== undefined && (
              <span class="muted">
                {reviewTexts.uploaded}: {reviewTexts.by(nameOf(review.uploadedBy), formatTime(review.createdAt))}
              </span>
            )}
          </p>
          <Log review={review} />
          {review.state === 'review' && review.uploadedByYou && <p class="muted">{reviewTexts.own}</p>}
          <div class="actions">
            {stepsFor(review).map((name) => (
              <Button key={name} onClick={() => setStep(name)}>
                {reviewTexts.steps[name]}
              </Button>
            ))}
          </div>
          {step !== undefined && (
            <ReviewStepDialog
              docmill={docmill}
              review={review}
              step={step}
              ifMatch={ifMatch}
              onDone={() => {
                reload();
                onDone();
              }}
              onClose={() => setStep(undefined)}
            />
          )}
        </>
      )}
    </section>
  );
}

function Log({ review: { log } }: { readonly review: Review }) {
  if (log.length === 0) return null;
  return (
    <>
      <h3>{reviewTexts.log}</h3>
      <ol class="plain-list">
        {log.map(({ action, at, comment, ...by }) => (
          <li key={`${at} ${action}`}>
            <Badge tone={action === 'overridden' ? 'bad' : 'neutral'}>{reviewTexts.actions[action]}</Badge>{' '}
            <span class="muted small">{reviewTexts.by(nameOf(by), formatTime(at))}</span>
            {comment !== undefined && <p>{comment}</p>}
          </li>
        ))}
      </ol>
    </>
  );
}

const nameOf = ({ keyId, name }: components['schemas']['ReviewPerson']): string => name ?? reviewTexts.unnamed(keyId);

/** The steps that the state and the scopes allow. */
function stepsFor({ state, uploadedByYou }: Review): readonly ReviewStep[] {
  if (state === undefined) return [];
  const isOpen = state === 'draft' || state === 'review';
  const canDecide = state === 'review' && !uploadedByYou && hasScope('templates:approve');
  const steps: readonly (readonly [step: ReviewStep, isAllowed: boolean])[] = [
    ['submit', state === 'draft' && hasScope('templates:write')],
    ['approve', canDecide],
    ['refuse', canDecide],
    ['comment', hasScope('templates:write') || hasScope('templates:approve')],
    ['override', isOpen && hasScope('templates:override')],
  ];
  return steps.flatMap(([step, isAllowed]) => (isAllowed ? [step] : []));
}
