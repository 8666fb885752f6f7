import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { OutputFormat } from '../generations/generation-record.ts';
import { statusValues } from '../generations/status-values.ts';

export interface StaleFlight {
  readonly id: string;
  readonly lane: OutputFormat;
  readonly attempts: number;
}

/** Rows that were handed out longer than `olderThanMs` ago and have not ended. */
export async function findStaleFlights(db: Executor, olderThanMs: number): Promise<readonly StaleFlight[]> {
  return run<{ id: string; lane: OutputFormat; attempts: number }>(
    db,
    sql`select g.id, f.lane, g.attempts from batch_flights f join generations g on g.id = f.generation_id
      where f.dispatched_at < now() - make_interval(secs => ${olderThanMs / 1_000}) and g.status in ('queued', 'running')
      order by f.dispatched_at`,
  );
}

/**
 * Puts rows whose jobs did not reach their lane, were lost, or failed for now, back in line, and takes back what their
 * accounts were charged, less the working time of an attempt that `failed`, which does nothing when it was fenced. Rows that
 * have ended stay as they are; a worker that still holds one is fenced. Their waiting is not working time: they begin anew.
 */
export async function recallRows(
  db: Executor,
  generationIds: readonly string[],
  failed?: { readonly attemptToken: string },
): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    sql`with seen as (
        select g.id, f.account_id, f.lane, f.charged_us, case when ${failed !== undefined}::boolean
          then coalesce(extract(epoch from now() - g.started_at) * 1000000, 0) else 0 end as used_us
        from generations g join batch_flights f on f.generation_id = g.id
        where g.id = any(${sql.param(generationIds)}::text[]) and g.status = any(${sql.param(statusValues.unfinished)}::text[])
          and (${failed === undefined}::boolean or g.attempt_token = ${failed?.attemptToken ?? null}) for update of g
      ), recalled as (
        update generations g set status = 'queued', attempt_token = null, started_at = null from seen
        where g.id = seen.id and g.status = any(${sql.param(statusValues.unfinished)}::text[])
        returning seen.*
      ), landed as (
        delete from batch_flights f using recalled where f.generation_id = recalled.id
      ), given_back as (
        update batch_turns t set pass = t.pass - round(c.unused_us / t.weight)
        from (select account_id, lane, sum(charged_us - used_us) as unused_us from recalled group by account_id, lane) c
        where t.account_id = c.account_id and t.lane = c.lane
      ), waiting as (
        update batch_rows r set dispatched_at = null from recalled where r.generation_id = recalled.id
      )
      select count(*)::int as count from recalled`,
  );
  return row?.count ?? 0;
}
