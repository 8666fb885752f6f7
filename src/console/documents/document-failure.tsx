import type { components } from '@docmill/client';
import { CircleX } from 'lucide-preact';
import { documentTexts } from '../texts/documents.ts';
import { detailsOf, remedyOf } from './failure-details.ts';

/** Why and where a document failed, and what to do about it. */
export function DocumentFailure({ job }: { readonly job: components['schemas']['Job'] }) {
  const { error, requestId } = job;
  if (error === undefined) return null;
  return (
    <section class="note bad failure" aria-label={documentTexts.failedTitle}>
      <CircleX aria-hidden="true" />
      <div>
        <h2>{documentTexts.failedTitle}</h2>
        <p>{error.message}</p>
        <ul>
          {detailsOf(error).map(({ message, places, context, hint }) => (
            <li key={`${message} ${places.join()} ${context}`}>
              {message !== error.message && message}
              {places.length > 0 && <span class="muted"> {places.join(', ')}</span>}
              {context !== undefined && <code class="context">{context}</code>}
              {hint !== undefined && <span class="muted"> {hint}</span>}
            </li>
          ))}
        </ul>
        <p>
          {documentTexts.remedies[remedyOf(error.status)]} {documentTexts.cost}
        </p>
        {requestId !== undefined && (
          <p class="muted small">
            {documentTexts.requestId}: <code>{requestId}</code>
          </p>
        )}
      </div>
    </section>
  );
}
