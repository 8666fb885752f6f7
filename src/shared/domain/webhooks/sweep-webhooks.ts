import { and, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { int4, rowOf } from '../../db/row.ts';
import { webhookDeliveries, webhookEvents } from '../../db/schema/webhooks.ts';
import { execute, query, run } from '../../db/statement.ts';

const minOnceKeyDays = 62;

const d = aliased(webhookDeliveries, 'd');
const v = aliased(webhookEvents, 'v');
const targetRow = rowOf({ account_id: webhookDeliveries.accountId, target: webhookDeliveries.target, due: int4 });

export interface DueWebhooks {
  /** Accounts with due deliveries, and the number of deliveries, counted up to a limit. */
  readonly accounts: ReadonlyMap<string, number>;
  /** The cursor after the last target checked; undefined at the end. */
  readonly next: string | undefined;
}

/**
 * Checks the next `limit` targets with waiting deliveries after `after`, which is empty at the beginning. Skips from
 * target to target by the index, so that backlogs are not read.
 */
export async function findDueWebhooks(
  db: Executor,
  after: string,
  { limit, maxCount }: { readonly limit: number; readonly maxCount: number },
): Promise<DueWebhooks> {
  const [account = '', target = ''] = after.split('\n');
  const isWaiting = isOneOf(d.status, 'pending');
  const waiting = (behind: SQL) => sql`select ${d.accountId} as account_id, ${d.target} as target
    from ${webhookDeliveries} ${d} where ${isWaiting} and (${d.accountId}, ${d.target}) > (${behind})
    order by ${d.accountId}, ${d.target} limit 1`;
  const rows = await query(
    db,
    targetRow,
    sql`with recursive targets as (
        (select next.*, 1 as number from (${waiting(sql`${account}, ${target}`)}) next)
        union all
        select next.account_id, next.target, t.number + 1 from targets t,
          lateral (${waiting(sql`t.account_id, t.target`)}) next
        where t.number < ${limit}::int
      )
      select t.account_id, t.target, due.count as due from targets t, lateral (
        select count(*)::int as count from (
          select 1 from ${webhookDeliveries} ${d} where ${isWaiting} and ${d.accountId} = t.account_id
            and ${d.target} = t.target and ${d.nextAttemptAt} <= now() limit ${maxCount}) first) due
      order by t.number`,
  );
  const accounts = new Map<string, number>();
  for (const row of rows) {
    if (row.due > 0) accounts.set(row.account_id, (accounts.get(row.account_id) ?? 0) + row.due);
  }
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { accounts, next: last && `${last.account_id}\n${last.target}` };
}

/** Accounts with deliveries that a crashed worker left behind. */
export async function findLeftWebhooks(db: Executor, limit: number): Promise<readonly string[]> {
  const { accountId, status, lockedUntil } = webhookDeliveries;
  const isLeft = and(isOneOf(status, 'sending'), lt(lockedUntil, sql`now()`));
  const rows = await run(db, db.selectDistinct({ accountId }).from(webhookDeliveries).where(isLeft).limit(limit));
  return rows.map((row) => row.accountId);
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
      .where(and(isOneOf(status, 'sending'), lt(lockedUntil, sql`now()`), gte(attempts, maxAttempts)))
      .returning({ id }),
  );
  return rows.map((row) => row.id);
}

/**
 * Deletes up to `limit` events with their deliveries after some days, unless one is in progress, and returns how many.
 * Events with a once key, such as monthly warnings, are kept for more than a month, because their row prevents
 * duplicates.
 */
export async function removeOldEvents(db: Executor, limit: number, days: number): Promise<number> {
  const removed = await removeBefore(db, isNull(v.onceKey), days, limit);
  return removed + (await removeBefore(db, isNotNull(v.onceKey), Math.max(days, minOnceKeyDays), limit));
}

function removeBefore(db: Executor, kind: SQL, days: number, limit: number): Promise<number> {
  return execute(
    db,
    sql`delete from ${webhookEvents} where ${webhookEvents.id} = any(array(
        select ${v.id} from ${webhookEvents} ${v}
        where ${kind} and ${v.createdAt} < now() - make_interval(days => ${days})
          and not exists (select 1 from ${webhookDeliveries} ${d}
            where ${d.eventId} = ${v.id} and ${isOneOf(d.status, 'pending', 'sending')})
        order by ${v.createdAt} limit ${limit} for update skip locked))`,
  );
}
