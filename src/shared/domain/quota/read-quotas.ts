import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { float8, int4, rowOf } from '../../db/row.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { allowances, subscriptions } from '../../db/schema/quota.ts';
import { nowOr, query } from '../../db/statement.ts';

export interface Amounts {
  readonly docs: number;
  readonly templates: number;
}
export interface QuotaSources {
  readonly subscriptions: Amounts;
  readonly credits: Amounts;
  readonly total: Amounts;
}
export interface Quotas {
  readonly allocated: QuotaSources;
  readonly remaining: QuotaSources;
}

const quotaRow = rowOf({
  subscription_docs: int4,
  subscription_templates: int4,
  subscription_docs_used: float8,
  credit_docs: float8,
  credit_docs_left: float8,
  credit_templates: float8,
  template_count: accounts.templateCount,
});
const a = aliased(accounts, 'a');
const s = aliased(subscriptions, 's');
/** The currently valid allowances, as the common table expression exposes them. */
const live = aliased(allowances, 'live');

/**
 * Allocated and remaining documents and templates. Documents on hold count as used. Templates use up the subscription
 * first. Each `total` is the sum of its two parts.
 */
export async function readQuotas(db: Executor, accountId: string, at?: Date): Promise<Quotas> {
  const { startsAt, endsAt } = allowances;
  const [row] = await query(
    db,
    quotaRow,
    sql`with live as (
        select * from ${allowances} where ${allowances.accountId} = ${accountId} and ${startsAt} <= ${nowOr(at)}
          and (${endsAt} is null or ${endsAt} > ${nowOr(at)})
      )
      select coalesce(${s.docs}, 0) as subscription_docs, coalesce(${s.templates}, 0) as subscription_templates,
        coalesce((select sum(${live.docsHeld} + ${live.docsSettled}) from live
          where ${isOneOf(live.kind, 'subscription')}), 0)::float8 as subscription_docs_used,
        coalesce((select sum(${live.docs}) from live where ${isOneOf(live.kind, 'credits')}), 0)::float8 as credit_docs,
        coalesce((select sum(${live.docs} - ${live.docsHeld} - ${live.docsSettled}) from live
          where ${isOneOf(live.kind, 'credits')}), 0)::float8 as credit_docs_left,
        coalesce((select sum(${live.templates}) from live
          where ${isOneOf(live.kind, 'credits')}), 0)::float8 as credit_templates,
        ${a.templateCount}
      from ${accounts} ${a} left join ${subscriptions} ${s} on ${s.accountId} = ${a.id} where ${a.id} = ${accountId}`,
  );
  if (row === undefined) throw new Error('the account of a valid key is missing');
  const inSubscription = Math.min(row.template_count, row.subscription_templates);
  const inCredits = Math.min(row.template_count - inSubscription, row.credit_templates);
  return {
    allocated: withTotal(
      { docs: row.subscription_docs, templates: row.subscription_templates },
      { docs: row.credit_docs, templates: row.credit_templates },
    ),
    remaining: withTotal(
      {
        docs: Math.max(0, row.subscription_docs - row.subscription_docs_used),
        templates: row.subscription_templates - inSubscription,
      },
      { docs: row.credit_docs_left, templates: row.credit_templates - inCredits },
    ),
  };
}

function withTotal(fromSubscription: Amounts, fromCredits: Amounts): QuotaSources {
  const total = {
    docs: fromSubscription.docs + fromCredits.docs,
    templates: fromSubscription.templates + fromCredits.templates,
  };
  return { subscriptions: fromSubscription, credits: fromCredits, total };
}
