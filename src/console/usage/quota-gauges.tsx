import { session, useDocmill } from '../session/session.ts';
import { usageTexts } from '../texts/usage.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { Gauge } from './gauge.tsx';

/** Subscriptions, credits and the budget of the key of this tab. What is not allocated is not shown. */
export function QuotaGauges() {
  const docmill = useDocmill();
  const { value, error, reload } = useLoad(async (signal) => {
    const [quotas, key] = await Promise.all([docmill.account.quotas({ signal }), docmill.account.key({ signal })]);
    return { quotas, budget: key.budget };
  }, session.value?.key.id ?? '');
  if (value === undefined) {
    return error === undefined ? <Skeleton lines={4} /> : <ErrorNote error={error} onRetry={reload} />;
  }
  const { allocated, remaining } = value.quotas;
  const { gauges } = usageTexts;
  const all = [
    [gauges.subscriptionDocs, remaining.subscriptions.docs, allocated.subscriptions.docs],
    [gauges.creditDocs, remaining.credits.docs, allocated.credits.docs],
    [gauges.budget, value.budget?.remaining ?? 0, value.budget?.docsPerMonth ?? 0],
    [gauges.subscriptionTemplates, remaining.subscriptions.templates, allocated.subscriptions.templates],
    [gauges.creditTemplates, remaining.credits.templates, allocated.credits.templates],
  ] as const;
  const shown = all.filter(([, , total]) => total > 0);
  if (shown.length === 0) return <p class="muted">{usageTexts.noQuotas}</p>;
  return (
    <div class="gauges">
      {shown.map(([label, left, total]) => (
        <Gauge key={label} label={label} remaining={left} allocated={total} />
      ))}
    </div>
  );
}
