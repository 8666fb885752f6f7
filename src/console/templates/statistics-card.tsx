import type { ComponentChildren } from 'preact';
import { healthTexts } from '../texts/templates.ts';
import { formatDuration, formatNumber, formatShare } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import { type Statistics, statisticsDays } from './use-statistics.ts';

/** Health of one template in numbers. */
export function StatisticsCard({ statistics }: { readonly statistics: Statistics | undefined }) {
  if (statistics === undefined) return null;
  const { documents, failures, withWarnings, p95TotalMs, p95ProductionMs, lastDocumentAt, complete } = statistics;
  return (
    <section class="card">
      <h2>{healthTexts.title(statisticsDays)}</h2>
      {documents === 0 ? (
        <p class="muted">{healthTexts.none}</p>
      ) : (
        <dl class="facts">
          <Row name={healthTexts.documents}>{healthTexts.count(formatNumber(documents), complete)}</Row>
          <Row name={healthTexts.failures}>{formatShare(failures / documents)}</Row>
          <Row name={healthTexts.warnings}>{formatShare(withWarnings / documents)}</Row>
          {p95TotalMs !== undefined && <Row name={healthTexts.total}>{formatDuration(p95TotalMs)}</Row>}
          {p95ProductionMs !== undefined && <Row name={healthTexts.production}>{formatDuration(p95ProductionMs)}</Row>}
          {lastDocumentAt !== undefined && (
            <Row name={healthTexts.last}>
              <Time value={lastDocumentAt} />
            </Row>
          )}
        </dl>
      )}
    </section>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="facts-row">
      <dt>{name}</dt>
      <dd class="number">{children}</dd>
    </div>
  );
}
