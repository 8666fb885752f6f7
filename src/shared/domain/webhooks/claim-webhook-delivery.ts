import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { guarded, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../ids.ts';

export interface ClaimedWebhook {
  readonly id: string;
  readonly attemptToken: string;
  readonly attempts: number;
  /** Others of the account were due as well: worth another job beside this one. */
  readonly hasMore: boolean;
  readonly endpointId: string;
  readonly isEnabled: boolean;
  readonly url: string;
  /** As they are stored, the newest first. */
  readonly secrets: readonly string[];
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly createdAt: Date;
  };
}

export interface ClaimLimits {
  readonly leaseMs: number;
  /** Requests under way at a time, over all workers: to one address, and of one account. */
  readonly perTarget: number;
  readonly perAccount: number;
}

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly attempts: number;
  readonly has_more: boolean;
  readonly endpoint_id: string;
  readonly is_enabled: boolean;
  readonly url: string;
  readonly secret: string;
  /** All that sign beside it, the newest first. */
  readonly previous_secret: string | null;
  readonly event_id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly event_at: string;
}

/**
 * Takes the account's delivery that has been due for longest and whose address is not at its bound, for one attempt. One
 * that a dead worker left is taken over when its lease ends. Undefined when there is none, or the account is at its bound:
 * then an attempt under way comes back for the next when it ends.
 */
export async function claimWebhookDelivery(
  db: Database,
  accountId: string,
  limits: ClaimLimits,
): Promise<ClaimedWebhook | undefined> {
  const attemptToken = newId('att');
  const row = await guarded(() =>
    inTransaction(db, async (tx) => {
      // The bounds are counted by one claim at a time; a statement of its own, so that the count sees what was committed.
      await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${accountId}`}, 0))`);
      const [claimed] = await run<Row>(tx, claimStatement(accountId, attemptToken, limits));
      return claimed;
    }),
  );
  return row === undefined ? undefined : toClaimed(row, attemptToken);
}

// Goes from target to target by the index, so that what waits for a slow one costs nothing, however much it is.
function claimStatement(accountId: string, attemptToken: string, { leaseMs, perTarget, perAccount }: ClaimLimits) {
  const pending = sql`select target from webhook_deliveries o where o.account_id = ${accountId} and o.status = 'pending'`;
  const due = sql`select id, next_attempt_at from webhook_deliveries o
    where o.account_id = ${accountId} and o.status = 'pending' and o.next_attempt_at <= now()`;
  return sql`with recursive targets (target) as (
      (${pending} order by o.target limit 1)
      union all
      select (${pending} and o.target > t.target order by o.target limit 1) from targets t where t.target is not null
    ), sending as (
      select id, target, next_attempt_at, locked_until < now() as is_lost from webhook_deliveries
      where account_id = ${accountId} and status = 'sending'
    ), busy as (
      select target, count(*) as requests from sending where not is_lost group by target
    ), free as (
      select due.id, due.next_attempt_at from (
        select t.target, first.id, first.next_attempt_at from targets t
          cross join lateral (${due} and o.target = t.target order by o.next_attempt_at limit 1) first
        union all
        select target, id, next_attempt_at from sending where is_lost) due
      where due.target not in (select target from busy where requests >= ${perTarget})
    ), next as (
      select id from free where (select coalesce(sum(requests), 0) from busy) < ${perAccount}
      order by next_attempt_at limit 1
    )
    update webhook_deliveries d set status = 'sending', attempts = d.attempts + 1, attempt_token = ${attemptToken},
      locked_until = now() + make_interval(secs => ${leaseMs / 1_000})
    from next, webhook_endpoints e, webhook_events v
    where d.id = next.id and d.status in ('pending', 'sending') and e.id = d.endpoint_id and v.id = d.event_id
    returning d.id, d.attempts, d.endpoint_id, e.status = 'enabled' as is_enabled, coalesce(d.callback_url, e.url) as url,
      (select count(*) from free) > 1 or exists (
        select 1 from (${due} and o.target = d.target order by o.next_attempt_at limit 2) of_target
        where of_target.id <> d.id) as has_more,
      e.secret, case when e.previous_secret_until > now() then e.previous_secret end as previous_secret,
      v.id as event_id, v.type, v.data, v.created_at as event_at`;
}

function toClaimed(row: Row, attemptToken: string): ClaimedWebhook {
  return {
    id: row.id,
    attemptToken,
    attempts: row.attempts,
    hasMore: row.has_more,
    endpointId: row.endpoint_id,
    isEnabled: row.is_enabled,
    url: row.url,
    secrets: [row.secret, ...(row.previous_secret?.split(' ') ?? [])],
    event: { id: row.event_id, type: row.type, data: row.data, createdAt: new Date(row.event_at) },
  };
}
