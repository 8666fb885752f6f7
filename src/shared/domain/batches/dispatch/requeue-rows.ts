import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { run } from '../../../db/statement.ts';
import type { OutputFormat } from '../../generations/generation-record.ts';
import { statusValues } from '../../generations/status-values.ts';

export interface StaleRow {
  readonly id: string;
  readonly format: OutputFormat;
  readonly attempts: number;
}

/** Rows that were handed out longer than `olderThanMs` ago and have not ended. */
export async function findStaleRows(db: Executor, olderThanMs: number): Promise<readonly StaleRow[]> {
  return run<{ id: string; format: OutputFormat; attempts: number }>(
    db,
    sql`select g.id, f.format, g.attempts from batch_in_flight_rows f join generations g on g.id = f.generation_id
      where f.dispatched_at < now() - make_interval(secs => ${olderThanMs / 1_000}) and g.status in ('queued', 'running')
      order by f.dispatched_at`,
  );
}

/**
 * Puts rows whose jobs did not reach their format, were lost, or failed for now, back in line, and takes back what their
 * accounts were charged, less the working time of an attempt that `failed`, which does nothing when it was fenced. Rows that
 * have ended stay as they are; a worker that still holds one is fenced. Their waiting is not working time: they begin anew.
 */
export async function requeueRows(
  db: Executor,
  generationIds: readonly string[],
  failed?: { readonly attemptToken: string },
): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    sql`with seen as (
        select g.id, f.account_id, f.format, f.charged_us, case when ${failed !== undefined}::boolean
          then coalesce(extract(epoch from now() - g.started_at) * 1000000, 0) else 0 end as used_us
        from generations g join batch_in_flight_rows f on f.generation_id = g.id
        where g.id = any(${sql.param(generationIds)}::text[]) and g.status = any(${sql.param(statusValues.unfinished)}::text[])
          and (${failed === undefined}::boolean or g.attempt_token = ${failed?.attemptToken ?? null}) for update of g
      ), requeued as (
        update generations g set status = 'queued', attempt_token = null, started_at = null from seen
        where g.id = seen.id and g.status = any(${sql.param(statusValues.unfinished)}::text[])
        returning seen.*
      ), collected as (
        delete from batch_in_flight_rows f using requeued where f.generation_id = requeued.id
      ), refunded as (
        update batch_shares t set virtual_time = t.virtual_time - round(c.unused_us / t.weight)
        from (select account_id, format, sum(charged_us - used_us) as unused_us from requeued group by account_id, format) c
        where t.account_id = c.account_id and t.format = c.format
      ), waiting as (
        update batch_rows r set dispatched_at = null from requeued where r.generation_id = requeued.id
      )
      select count(*)::int as count from requeued`,
  );
  return row?.count ?? 0;
}
