import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { OutputFormat } from '../generations/generation-record.ts';

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
 * Puts rows whose jobs did not reach their lane, or were lost, back in line, and takes back what their accounts were
 * charged. Rows that have ended stay as they are; a worker that still holds one is fenced. Their waiting is not working
 * time: they begin anew.
 */
export async function recallRows(db: Executor, generationIds: readonly string[]): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    sql`with recalled as (
        update generations g set status = 'queued', attempt_token = null, started_at = null from batch_flights f
        where g.id = any(${sql.param(generationIds)}::text[]) and f.generation_id = g.id and g.status in ('queued', 'running')
        returning f.generation_id, f.account_id, f.lane, f.charged_us
      ), landed as (
        delete from batch_flights f using recalled where f.generation_id = recalled.generation_id
      ), given_back as (
        update batch_turns t set pass = t.pass - round(c.charged_us / t.weight)
        from (select account_id, lane, sum(charged_us) as charged_us from recalled group by account_id, lane) c
        where t.account_id = c.account_id and t.lane = c.lane
      ), waiting as (
        update batch_rows r set dispatched_at = null from recalled where r.generation_id = recalled.generation_id
      )
      select count(*)::int as count from recalled`,
  );
  return row?.count ?? 0;
}
