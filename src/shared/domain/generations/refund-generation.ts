import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { returnBudget } from '../api-keys/spend-budget.ts';

/**
 * Gives back what a finished document cost, because its bytes were lost before its caller got them. Once for a document,
 * and never for one whose bytes are kept or were mailed. False when nothing was to be given back.
 */
export async function refundGeneration(db: Executor, id: string): Promise<boolean> {
  const [row] = await run<{ is_done: boolean }>(
    db,
    sql`with done as (
        update generations set refunded_at = now(), result_store = null, result_key = null
        where id = ${id} and status = 'succeeded' and refunded_at is null and result_store = 'redis' returning id, api_key_id, budget_month
      ), entry as (
        insert into ledger (account_id, generation_id, allowance_id, kind, units)
        select r.account_id, r.generation_id, r.allowance_id, 'refund', r.units
        from ledger r join done on r.generation_id = done.id where r.kind = 'settle'
        returning allowance_id, units
      ), refunded as (
        update allowances a set docs_settled = a.docs_settled - entry.units from entry where a.id = entry.allowance_id returning 1
      ), ${returnBudget(sql`done`, sql`refunded`)}
      select exists (select 1 from done) as is_done`,
  );
  return row?.is_done === true;
}
