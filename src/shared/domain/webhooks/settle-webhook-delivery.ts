import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf, names } from '../../db/column-names.ts';
import { rowOf } from '../../db/row.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/webhooks.ts';
import { nowOr, nowPlus, query } from '../../db/statement.ts';
import { webhookChangeTime } from './find-webhooks.ts';

const maxFailingDays = 3;

export interface WebhookOutcome {
  /** `pending` schedules another attempt after `retryInMs`. */
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly response: { readonly status: number; readonly body: string } | undefined;
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly retryInMs: number;
  /** Effect on the endpoint's health: `unknown` (a test) has none; `gone` disables it at once. */
  readonly health: 'good' | 'bad' | 'gone' | 'unknown';
}

const endedRow = rowOf({ id: webhookDeliveries.id });
const e = aliased(webhookEndpoints, 'e');
const set = names(webhookDeliveries);
const setEndpoint = names(webhookEndpoints);

/**
 * Ends an attempt and updates the endpoint's health: three days without a success disable it. False, without any
 * change, if the attempt was fenced or its webhook deleted.
 */
export async function settleWebhookDelivery(
  db: Executor,
  attempt: { readonly id: string; readonly attemptToken: string },
  { status, response, error, durationMs, retryInMs, health }: WebhookOutcome,
): Promise<boolean> {
  const d = webhookDeliveries;
  const rows = await query(
    db,
    endedRow,
    sql`with done as (
        update ${webhookDeliveries} set ${set.status} = ${status}, ${set.responseStatus} = ${response?.status ?? null},
          ${set.responseBody} = ${response?.body ?? null}, ${set.error} = ${error ?? null},
          ${set.durationMs} = ${durationMs ?? null}, ${set.lockedUntil} = null,
          ${set.nextAttemptAt} = ${nowPlus(retryInMs)},
          ${set.finishedAt} = case when ${status !== 'pending'} then now() end
        where ${d.id} = ${attempt.id} and ${isOneOf(d.status, 'sending')} and ${d.attemptToken} = ${attempt.attemptToken}
        returning ${d.id} as id, ${d.endpointId} as endpoint_id
      ), health as (
        update ${webhookEndpoints} ${e} set ${healthChanges(health)}
        from done where ${e.id} = done.endpoint_id and ${isOneOf(e.kind, 'endpoint')} and ${changesHealth(health)}
      )
      select id from done`,
  );
  return rows.length === 1;
}

const hasFailedTooLong = sql`${e.failingSince} < now() - make_interval(days => ${maxFailingDays})`;

function healthChanges(health: WebhookOutcome['health']): SQL {
  const { status, disabledReason, failingSince, updatedAt } = setEndpoint;
  if (health === 'gone') {
    return sql`${status} = 'disabled', ${disabledReason} = 'It answered 410 Gone', ${updatedAt} = ${webhookChangeTime(e.updatedAt)}`;
  }
  if (health !== 'bad') return sql`${failingSince} = null`;
  const reason = `Every request failed for ${maxFailingDays} days`;
  return sql`${failingSince} = coalesce(${e.failingSince}, ${nowOr()}),
    ${status} = case when ${hasFailedTooLong} then 'disabled' else ${e.status} end,
    ${disabledReason} = case when ${hasFailedTooLong} then ${reason} else ${e.disabledReason} end,
    ${updatedAt} = case when ${hasFailedTooLong} then ${webhookChangeTime(e.updatedAt)} else ${e.updatedAt} end`;
}

/** True if the endpoint's row must be written; most attempts do not change it. */
function changesHealth(health: WebhookOutcome['health']): SQL {
  switch (health) {
    case 'good':
      return sql`${e.failingSince} is not null`;
    case 'bad':
      return sql`${isOneOf(e.status, 'enabled')} and (${e.failingSince} is null or ${hasFailedTooLong})`;
    case 'gone':
      return isOneOf(e.status, 'enabled');
    case 'unknown':
      return sql`false`;
  }
}
