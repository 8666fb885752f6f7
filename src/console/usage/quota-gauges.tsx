import type { Docmill } from '@docmill/client';
import { session, useDocmill } from '../session/session.ts';
import { usageTexts } from '../texts/usage.ts';
import { type Loaded, useLoad } from '../ui/use-load.ts';
import { Gauge } from './gauge.tsx';

interface Quotas {
  readonly quotas: Awaited<ReturnType<Docmill['account']['quotas']>>;
  readonly budget: Awaited<ReturnType<Docmill['account']['key']>>['budget'];
}

export function useQuotas(): Loaded<Quotas> {
  const docmill = useDocmill();
  return useLoad(async (signal) => {
    const [quotas, key] = await Promise.all([docmill.account.quotas({ signal }), docmill.account.key({ signal })]);
    return { quotas, budget: key.budget };
  }, session.value?.key.id ?? '');
}

/** Subscriptions, credits and the budget of this tab's key. Quotas that are not allocated are hidden. */
export function QuotaGauges({ quotas: { allocated, remaining }, budget }: Quotas) {
  const { gauges } = usageTexts;
  const all = [
    [gauges.subscriptionDocs, remaining.subscriptions.docs, allocated.subscriptions.docs],
    [gauges.creditDocs, remaining.credits.docs, allocated.credits.docs],
    [gauges.budget, budget?.remaining ?? 0, budget?.docsPerMonth ?? 0],
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
