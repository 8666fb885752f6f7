import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';

export interface BudgetSpending {
  readonly keyId: string | undefined;
  readonly docs: number;
  /** Spend only when this holds. */
  readonly when: SQL;
  /** The moment of the order: it counts in the calendar month (UTC) of it. */
  readonly at: SQL;
}

/**
 * Two common table expressions: `budget`, a row when the key has a budget, and `spent`, a row with the `month` when that
 * had room. Lock the allowance before and the budget after, as `returnBudget` does.
 */
export function spendBudget({ keyId, docs, when, at }: BudgetSpending): SQL {
  return sql`budget as (
      select id, docs_per_month from api_keys
      where id = ${keyId ?? null} and docs_per_month is not null and ${when}
    ), spent as (
      insert into key_spending (key_id, month, docs)
      select id, date_trunc('month', ${at} at time zone 'UTC')::date, ${docs}::int from budget
      where docs_per_month >= ${docs}::int
      on conflict (key_id, month) do update set docs = key_spending.docs + excluded.docs
        where key_spending.docs + excluded.docs <= (select docs_per_month from budget)
      returning month
    )`;
}

/**
 * The common table expression that gives back to their keys' budgets what the generations in `done` spent; `released` is
 * the one that gave back the allowances.
 */
export function returnBudget(done: SQL, released: SQL): SQL {
  return sql`returned as (
      update key_spending k set docs = k.docs - back.docs
      from (select api_key_id, budget_month, count(*) as docs from ${done}
        where budget_month is not null and exists (select 1 from ${released}) group by 1, 2) back
      where k.key_id = back.api_key_id and k.month = back.budget_month
    )`;
}

export const keyBudgetExceeded = (): AppError =>
  new AppError(
    'quota_exceeded',
    'The monthly budget of this API key is used up. It starts anew with the next month (UTC).',
  );
