import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import { returnBudget } from '../api-keys/spend-budget.ts';
import { statusValues } from '../generations/status-values.ts';

const batchEnded: ErrorRecord = { code: 'conflict', message: 'The batch ended before this row was made' };

/**
 * Cancels up to `limit` rows, which no worker has begun, of a batch that was cancelled or has failed, and gives them back,
 * in one statement. Answers how many; call it until it answers fewer than `limit`.
 */
export async function cancelWaiting(db: Executor, batchId: string, limit: number): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    sql`with ended as (
        select id from batches where id = ${batchId} and status in ('cancelled', 'failed')
      ), next as (
        select g.id from generations g join ended on ended.id = g.batch_id where g.status = 'queued'
        limit ${limit} for update of g skip locked
      ), done as (
        update generations g set status = 'cancelled', finished_at = now(), error = ${JSON.stringify(batchEnded)}::jsonb,
          email = null, pdf_options = pdf_options - 'password'
        from next where g.id = next.id and g.status = ${statusValues.queued}::text returning g.*
      ), entry as (
        insert into ledger (account_id, generation_id, allowance_id, kind, units)
        select r.account_id, r.generation_id, r.allowance_id, 'release', r.units
        from ledger r join done on r.generation_id = done.id where r.kind = 'reserve'
        returning allowance_id, units
      ), back as (
        select allowance_id, sum(units)::int as units from entry group by allowance_id
      ), locked as (
        select back.* from allowances a join back on back.allowance_id = a.id
        order by a.kind desc, a.ends_at nulls last, a.id for no key update of a
      ), released as (
        update allowances a set docs_held = a.docs_held - locked.units from locked where a.id = locked.allowance_id returning 1
      ), ${returnBudget(sql`done`, sql`released`)}
      select count(*)::int as count from done`,
  );
  return row?.count ?? 0;
}

/** Batches that ended before their rows did, because a process died in between. */
export async function findHalfCancelled(db: Executor, limit: number): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`select id from batches b where status in ('cancelled', 'failed')
        and exists (select 1 from generations g where g.batch_id = b.id and g.status = 'queued')
      limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
