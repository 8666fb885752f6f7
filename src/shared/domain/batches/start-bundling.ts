import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/**
 * Moves batches all of whose rows have ended on to their bundle. Answers those that this call moved: each once, over all
 * processes.
 */
export async function startBundling(db: Executor, batchIds: readonly string[]): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`update batches b set status = 'bundling', started_at = coalesce(started_at, now())
      where id = any(${sql.param(batchIds)}::text[]) and status in ('accepted', 'running')
        and not exists (select 1 from batch_rows r where r.batch_id = b.id and r.dispatched_at is null)
        and not exists (select 1 from generations g where g.batch_id = b.id and g.status in ('queued', 'running'))
      returning id`,
  );
  return rows.map(({ id }) => id);
}

/** Of the format's batches that are dispatched, those that have no row to hand out any more. */
export async function findFullyDispatched(
  db: Executor,
  format: 'docx' | 'pdf',
  limit: number,
): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`select b.id from batches b where b.status in ('accepted', 'running') and b.format = ${format}
        and not exists (select 1 from batch_rows r where r.batch_id = b.id and r.dispatched_at is null)
        and not exists (select 1 from batch_in_flight_rows f where f.batch_id = b.id)
      order by b.accepted_at limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
