import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { run } from '../../../db/statement.ts';
import type { OutputFormat } from '../../generations/generation-record.ts';

export interface FinishedRows {
  readonly batchId: string;
  /** Rows that ended without a worker's doing: what they left in Redis is nobody's. */
  readonly unsuccessfulIds: readonly string[];
}

/**
 * Takes the rows whose documents have ended out of the format's window, and charges their accounts what they took instead
 * of what they were expected to take. Each row is charged once, by whoever deletes it.
 */
export async function collectFinished(db: Executor, format: OutputFormat): Promise<readonly FinishedRows[]> {
  const rows = await run<{ batch_id: string; unsuccessful_ids: readonly string[] | null }>(
    db,
    sql`with ended as (
        delete from batch_in_flight_rows f using generations g
        where f.format = ${format} and g.id = f.generation_id and g.status not in ('queued', 'running')
        returning f.generation_id, f.account_id, f.batch_id, f.charged_us, g.status,
          extract(epoch from g.finished_at - coalesce(g.started_at, g.finished_at)) * 1000000 as used_us
      ), costs as (
        select account_id, sum(used_us - charged_us) as owed_us, avg(used_us) as mean_us from ended group by account_id
      ), charged as (
        update batch_shares t set virtual_time = t.virtual_time + round(c.owed_us / t.weight),
          cost_us = greatest(1, round(coalesce(0.7 * t.cost_us + 0.3 * c.mean_us, c.mean_us)))
        from costs c where t.account_id = c.account_id and t.format = ${format}
      )
      select batch_id, array_agg(generation_id) filter (where status <> 'succeeded') as unsuccessful_ids from ended group by batch_id`,
  );
  return rows.map((row) => ({ batchId: row.batch_id, unsuccessfulIds: row.unsuccessful_ids ?? [] }));
}
