import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';

export interface Amounts {
  readonly docs: number;
  readonly templates: number;
}
export interface QuotaSide {
  readonly subscriptions: Amounts;
  readonly credits: Amounts;
  readonly total: Amounts;
}
export interface Quotas {
  readonly allocated: QuotaSide;
  readonly remaining: QuotaSide;
}

interface Row extends Record<string, unknown> {
  readonly subscription_docs: number;
  readonly subscription_docs_used: number;
  readonly subscription_templates: number;
  readonly credit_docs: number;
  readonly credit_docs_left: number;
  readonly credit_templates: number;
  readonly template_count: number;
}

/**
 * Allowed and left, in documents and templates. Documents on hold count as used. Templates fill the subscription's places
 * first. Each `total` is the sum of its two parts.
 */
export async function readQuotas(db: Executor, accountId: string, at?: Date): Promise<Quotas> {
  const [row] = await run<Row>(
    db,
    sql`with live as (
        select * from allowances where account_id = ${accountId} and starts_at <= ${nowOr(at)}
          and (ends_at is null or ends_at > ${nowOr(at)})
      )
      select coalesce(s.docs, 0) as subscription_docs, coalesce(s.templates, 0) as subscription_templates,
        coalesce((select sum(docs_held + docs_settled) from live where kind = 'subscription'), 0)::float8 as subscription_docs_used,
        coalesce((select sum(docs) from live where kind = 'credits'), 0)::float8 as credit_docs,
        coalesce((select sum(docs - docs_held - docs_settled) from live where kind = 'credits'), 0)::float8 as credit_docs_left,
        coalesce((select sum(templates) from live where kind = 'credits'), 0)::float8 as credit_templates,
        a.template_count
      from accounts a left join subscriptions s on s.account_id = a.id where a.id = ${accountId}`,
  );
  if (row === undefined) throw new Error('the account of a live key is missing');
  const inSubscription = Math.min(row.template_count, row.subscription_templates);
  const inCredits = Math.min(row.template_count - inSubscription, row.credit_templates);
  return {
    allocated: side(
      { docs: row.subscription_docs, templates: row.subscription_templates },
      { docs: row.credit_docs, templates: row.credit_templates },
    ),
    remaining: side(
      {
        docs: Math.max(0, row.subscription_docs - row.subscription_docs_used),
        templates: row.subscription_templates - inSubscription,
      },
      { docs: row.credit_docs_left, templates: row.credit_templates - inCredits },
    ),
  };
}

function side(subscriptions: Amounts, credits: Amounts): QuotaSide {
  const total = { docs: subscriptions.docs + credits.docs, templates: subscriptions.templates + credits.templates };
  return { subscriptions, credits, total };
}
