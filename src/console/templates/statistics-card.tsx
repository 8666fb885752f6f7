import { healthTexts } from '../texts/templates.ts';
import { Facts } from '../ui/facts.tsx';
import { formatDuration, formatNumber, formatShare } from '../ui/format.ts';
import { Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { type Statistics, statisticsDays } from './use-statistics.ts';

interface StatisticsCardProps {
  /** Undefined while loading; null if loading failed. */
  readonly statistics: Statistics | null | undefined;
}

/** The health of a template in numbers. */
export function StatisticsCard({ statistics }: StatisticsCardProps) {
  if (statistics === null) return null;
  return (
    <section class="card">
      <h2>{healthTexts.title(statisticsDays)}</h2>
      {statistics === undefined && <Skeleton lines={4} />}
      {statistics?.documents === 0 && <p class="muted">{healthTexts.none}</p>}
      {statistics !== undefined && statistics.documents > 0 && <Facts layout="lines" facts={factsOf(statistics)} />}
    </section>
  );
}

function factsOf(statistics: Statistics) {
  const { documents, failures, withWarnings, p95TotalMs, p95ProductionMs, lastDocumentAt, complete } = statistics;
  return [
    [healthTexts.documents, healthTexts.count(formatNumber(documents), complete)],
    [healthTexts.failures, formatShare(failures / documents)],
    [healthTexts.warnings, formatShare(withWarnings / documents)],
    [healthTexts.total, p95TotalMs === undefined ? undefined : formatDuration(p95TotalMs)],
    [healthTexts.production, p95ProductionMs === undefined ? undefined : formatDuration(p95ProductionMs)],
    [healthTexts.last, lastDocumentAt === undefined ? undefined : <Time value={lastDocumentAt} isExact />],
  ] as const;
}
