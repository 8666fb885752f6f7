import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database } from '../../db/client.ts';
import { isOneOf, names } from '../../db/column-names.ts';
import { bool, nullable, type RowOf, rowOf, text } from '../../db/row.ts';
import { batches } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/documents.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '../../db/schema/webhooks.ts';
import { guarded, nowPlus, query, tryLock } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../ids.ts';
import type { JsonObject } from '../../json.ts';
import type { RequestTrace } from '../../request-trace.ts';
import { traceOf } from '../documents/trace-of.ts';

export interface ClaimedWebhook {
  readonly id: string;
  readonly accountId: string;
  readonly attemptToken: string;
  readonly attempts: number;
  /** True if other deliveries of the account are due too, so that another job should be enqueued. */
  readonly hasMore: boolean;
  readonly endpointId: string;
  readonly isEnabled: boolean;
  readonly url: string;
  /** As stored, newest first. */
  readonly secrets: readonly string[];
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly data: JsonObject;
    readonly createdAt: Date;
  };
  /** The trace of the request for the document or batch that the event is about. */
  readonly trace: RequestTrace | undefined;
}

export interface ClaimLimits {
  readonly leaseMs: number;
  /** Concurrent requests across all workers: to one target, and of one account. */
  readonly perTarget: number;
  readonly perAccount: number;
}

const claimRow = rowOf({
  id: webhookDeliveries.id,
  attempts: webhookDeliveries.attempts,
  endpoint_id: webhookDeliveries.endpointId,
  is_enabled: bool,
  url: text,
  has_more: bool,
  secret: webhookEndpoints.secret,
  previous_secret: nullable(text),
  event_id: webhookEvents.id,
  type: webhookEvents.type,
  data: webhookEvents.data,
  event_at: webhookEvents.createdAt,
  trace: generations.trace,
});

/**
 * Claims, for one attempt, the account's longest overdue delivery whose target is below its limit. A delivery left by a
 * crashed worker is claimed when its lease expires. Undefined if none is due or the account is at its limit; in the
 * latter case, the next delivery is claimed when one of the account's attempts ends. `busy` while another worker claims
 * for the account: release the connection, which others need, before trying again.
 */
export async function claimWebhookDelivery(
  db: Database,
  accountId: string,
  limits: ClaimLimits,
): Promise<ClaimedWebhook | 'busy' | undefined> {
  const attemptToken = newId('att');
  const row = await guarded(() =>
    inTransaction(db, async (tx) => {
      // Serialises the claims of an account. A separate statement, so that the next one sees what was committed.
      if (!(await tryLock(tx, `webhooks ${accountId}`))) return 'busy' as const;
      const [claimed] = await query(tx, claimRow, claimStatement(accountId, attemptToken, limits));
      return claimed;
    }),
  );
  return row === undefined || row === 'busy' ? row : toClaimed(row, accountId, attemptToken);
}

const o = aliased(webhookDeliveries, 'o');
const d = aliased(webhookDeliveries, 'd');
const e = aliased(webhookEndpoints, 'e');
const v = aliased(webhookEvents, 'v');
const g = aliased(generations, 'g');
const b = aliased(batches, 'b');
const set = names(webhookDeliveries);

/** Read from the row of the document or batch, because the event does not store it; null if that row was deleted. */
const eventTrace = sql`coalesce(
  (select ${traceOf(g)} from ${generations} ${g} where ${g.id} = coalesce(${v.data} ->> 'documentId', ${v.data} ->> 'id')),
  (select ${b.trace} from ${batches} ${b} where ${b.id} = ${v.data} ->> 'id'))`;

// Skips from target to target by the index, so that the backlog of a slow target is not scanned.
function claimStatement(accountId: string, attemptToken: string, { leaseMs, perTarget, perAccount }: ClaimLimits) {
  const isPending = sql`${o.accountId} = ${accountId} and ${isOneOf(o.status, 'pending')}`;
  const pending = sql`select ${o.target} from ${webhookDeliveries} ${o} where ${isPending}`;
  const due = sql`select ${o.id}, ${o.nextAttemptAt} as next_attempt_at from ${webhookDeliveries} ${o}
    where ${isPending} and ${o.nextAttemptAt} <= now()`;
  return sql`with recursive targets (target) as (
      (${pending} order by ${o.target} limit 1)
      union all
      select (${pending} and ${o.target} > t.target order by ${o.target} limit 1) from targets t where t.target is not null
    ), sending as (
      select ${o.id}, ${o.target} as target, ${o.nextAttemptAt} as next_attempt_at, ${o.lockedUntil} < now() as is_lost
      from ${webhookDeliveries} ${o} where ${o.accountId} = ${accountId} and ${isOneOf(o.status, 'sending')}
    ), busy as (
      select target, count(*) as requests from sending where not is_lost group by target
    ), free as (
      select due.id, due.next_attempt_at from (
        select t.target, first.id, first.next_attempt_at from targets t
          cross join lateral (${due} and ${o.target} = t.target order by ${o.nextAttemptAt} limit 1) first
        union all
        select target, id, next_attempt_at from sending where is_lost) due
      where due.target not in (select target from busy where requests >= ${perTarget})
    ), next as (
      select id from free where (select coalesce(sum(requests), 0) from busy) < ${perAccount}
      order by next_attempt_at limit 1
    )
    update ${webhookDeliveries} ${d} set ${set.status} = 'sending', ${set.attempts} = ${d.attempts} + 1,
      ${set.attemptToken} = ${attemptToken}, ${set.lockedUntil} = ${nowPlus(leaseMs)}
    from next, ${webhookEndpoints} ${e}, ${webhookEvents} ${v}
    where ${d.id} = next.id and ${isOneOf(d.status, 'pending', 'sending')} and ${e.id} = ${d.endpointId}
      and ${v.id} = ${d.eventId}
    returning ${d.id}, ${d.attempts}, ${d.endpointId}, ${isOneOf(e.status, 'enabled')} as is_enabled,
      coalesce(${d.callbackUrl}, ${e.url}) as url,
      (select count(*) from free) > 1 or exists (
        select 1 from (${due} and ${o.target} = ${d.target} order by ${o.nextAttemptAt} limit 2) of_target
        where of_target.id <> ${d.id}) as has_more,
      ${e.secret}, case when ${e.previousSecretUntil} > now() then ${e.previousSecret} end as previous_secret,
      ${v.id} as event_id, ${v.type}, ${v.data}, ${v.createdAt} as event_at,
      ${eventTrace} as trace`;
}

function toClaimed(row: RowOf<typeof claimRow>, accountId: string, attemptToken: string): ClaimedWebhook {
  return {
    id: row.id,
    accountId,
    attemptToken,
    attempts: row.attempts,
    hasMore: row.has_more,
    endpointId: row.endpoint_id,
    isEnabled: row.is_enabled,
    url: row.url,
    secrets: [row.secret, ...(row.previous_secret?.split(' ') ?? [])],
    event: { id: row.event_id, type: row.type, data: row.data, createdAt: row.event_at },
    trace: row.trace ?? undefined,
  };
}
