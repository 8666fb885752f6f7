import { and, gte, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { int4, rowOf } from '../../db/row.ts';
import { webhookDeliveries, webhookEvents } from '../../db/schema/webhooks.ts';
import { execute, query, run } from '../../db/statement.ts';

const retentionDays = 30;
const onceKeyRetentionDays = 62;

const d = aliased(webhookDeliveries, 'd');
const v = aliased(webhookEvents, 'v');
const dueRow = rowOf({ account_id: webhookDeliveries.accountId, count: int4 });

/** Accounts with deliveries that are due or were left by a crashed worker, with the number of deliveries. */
export async function findDueWebhooks(
  db: Executor,
  limit: number,
): Promise<readonly { readonly accountId: string; readonly count: number }[]> {
  const candidates = sql`select ${d.accountId} as account_id, ${d.nextAttemptAt} as at from ${webhookDeliveries} ${d}`;
  const rows = await query(
    db,
    dueRow,
    sql`select account_id, count(*)::int as count from (
        ${candidates} where ${isOneOf(d.status, 'pending')} and ${d.nextAttemptAt} <= now()
        union all
        ${candidates} where ${isOneOf(d.status, 'sending')} and ${d.lockedUntil} < now()) due
      group by account_id order by min(at) limit ${limit}`,
  );
  return rows.map((row) => ({ accountId: row.account_id, count: row.count }));
}

/** Ends deliveries whose worker was lost during the last attempt. Returns their ids. */
export async function endExhaustedWebhooks(db: Executor, maxAttempts: number): Promise<readonly string[]> {
  const { id, status, lockedUntil, attempts } = webhookDeliveries;
  const rows = await run(
    db,
    db
      .update(webhookDeliveries)
      .set({
        status: 'failed',
        finishedAt: sql`now()`,
        lockedUntil: null,
        error: 'the workers that tried to send it were lost',
      })
      .where(and(isOneOf(status, 'sending'), sql`${lockedUntil} < now()`, gte(attempts, maxAttempts)))
      .returning({ id }),
  );
  return rows.map((row) => row.id);
}

/**
 * Deletes up to `limit` events with their deliveries after 30 days, unless one is in progress, and returns how many.
 * Events with a once key, such as monthly warnings, are kept for more than a month, because their row prevents
 * duplicates.
 */
export function removeOldEvents(db: Executor, limit: number): Promise<number> {
  return execute(
    db,
    sql`delete from ${webhookEvents} where ${webhookEvents.id} = any(array(
        select ${v.id} from ${webhookEvents} ${v}
        where ${v.createdAt} < now() - make_interval(days => ${retentionDays})
          and (${v.onceKey} is null or ${v.createdAt} < now() - make_interval(days => ${onceKeyRetentionDays}))
          and not exists (select 1 from ${webhookDeliveries} ${d}
            where ${d.eventId} = ${v.id} and ${isOneOf(d.status, 'pending', 'sending')})
        order by ${v.createdAt} limit ${limit} for update skip locked))`,
  );
}
