import { CircleAlert } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { shellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { describeError } from './describe-error.ts';

/** An error inside a page, announced when it appears. */
export function ErrorNote({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { message, details, requestId } = describeError(error);
  return (
    <div class="note bad" role="alert">
      <CircleAlert aria-hidden="true" />
      <div>
        <p>{message}</p>
        {details.length > 0 && (
          <ul>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        {requestId !== undefined && <p class="muted small">{shellTexts.requestId(requestId)}</p>}
        {onRetry !== undefined && <Button onClick={onRetry}>{shellTexts.tryAgain}</Button>}
      </div>
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly icon?: ComponentChildren;
  /** What to do next, with a button. */
  readonly children?: ComponentChildren;
}

/** The empty state of a page, which introduces the first step. */
export function EmptyState({ title, icon, children }: EmptyStateProps) {
  return (
    <div class="empty">
      {icon}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Grey lines that reserve the height of content that is loading. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={shellTexts.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
