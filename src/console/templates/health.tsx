import { healthTexts } from '../texts/templates.ts';
import { Badge } from '../ui/badge.tsx';
import { formatDuration, formatShare } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import type { Statistics } from './use-statistics.ts';

/**
 * The last use of a template, and the outcome of its recent documents. Reserves the final height, so that nothing moves
 * when the figures load.
 */
export function Health({ statistics }: { readonly statistics: Statistics | undefined }) {
  if (statistics === undefined) return <div class="health" aria-hidden="true" />;
  const { lastDocumentAt, documents, failures, withWarnings, p95TotalMs } = statistics;
  return (
    <div class="health">
      <p class="muted small">
        {lastDocumentAt === undefined ? (
          healthTexts.unused
        ) : (
          <>
            {healthTexts.used} <Time value={lastDocumentAt} />
          </>
        )}
      </p>
      {documents > 0 && (
        <p class="badges">
          {failures > 0 && <Badge tone="bad">{healthTexts.failed(formatShare(failures / documents))}</Badge>}
          {withWarnings > 0 && <Badge tone="warn">{healthTexts.warned(formatShare(withWarnings / documents))}</Badge>}
          {failures === 0 && withWarnings === 0 && <Badge tone="good">{healthTexts.good}</Badge>}
          {p95TotalMs !== undefined && <Badge>{healthTexts.p95(formatDuration(p95TotalMs))}</Badge>}
        </p>
      )}
    </div>
  );
}
