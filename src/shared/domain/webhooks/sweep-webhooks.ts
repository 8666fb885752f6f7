import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

const keptDays = 30;
const keptDaysOfOnce = 62;

/** Accounts with deliveries that are due or were left by a dead worker, and how many of them. */
export async function findDueWebhooks(
  db: Executor,
  limit: number,
): Promise<readonly { readonly accountId: string; readonly count: number }[]> {
  const rows = await run<{ account_id: string; count: number }>(
    db,
    sql`select account_id, count(*)::int as count from (
        select account_id, next_attempt_at from webhook_deliveries where status = 'pending' and next_attempt_at <= now()
        union all
        select account_id, next_attempt_at from webhook_deliveries where status = 'sending' and locked_until < now()) due
      group by account_id order by min(next_attempt_at) limit ${limit}`,
  );
  return rows.map((row) => ({ accountId: row.account_id, count: row.count }));
}

/** Ends deliveries whose last attempt took its worker with it. */
export async function endHopelessWebhooks(db: Executor, maxAttempts: number): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`update webhook_deliveries set status = 'failed', finished_at = now(), locked_until = null,
        error = 'the workers that tried to send it were lost'
      where status = 'sending' and locked_until < now() and attempts >= ${maxAttempts} returning id`,
  );
  return rows.map((row) => row.id);
}

/**
 * Removes events with their deliveries after 30 days, unless one is under way; at most `limit` of them. What is said once a
 * month is kept for longer than a month, since its row is what keeps it from being said again.
 */
export async function removeOldEvents(db: Executor, limit: number): Promise<number> {
  const rows = await run(
    db,
    sql`delete from webhook_events where id = any(array(
        select id from webhook_events v
        where created_at < now() - make_interval(days => ${keptDays})
          and (once_key is null or created_at < now() - make_interval(days => ${keptDaysOfOnce}))
          and not exists (select 1 from webhook_deliveries d where d.event_id = v.id and d.status in ('pending', 'sending'))
        order by created_at limit ${limit} for update skip locked))
      returning 1`,
  );
  return rows.length;
}
