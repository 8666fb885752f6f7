import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf } from '../../db/column-names.ts';
import { rowOf } from '../../db/row.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '../../db/schema/webhooks.ts';
import { nowOr, query } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import type { JsonObject } from '../../json.ts';

/** The events that an endpoint can subscribe to. */
export const eventTypes = [
  'document.succeeded',
  'document.failed',
  'batch.completed',
  'email.failed',
  'quota.warning',
  'template.submitted',
  'template.approved',
  'template.refused',
  'template.overridden',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Sent to one endpoint on request, regardless of its subscriptions. */
export const testEventType = 'webhook.test';

/** Number of host groups for the concurrency limit of callbacks; a power of two. */
const callbackGroups = 16;

const e = aliased(webhookEndpoints, 'e');

/**
 * The outbox as common table expressions, to follow `with …,` in the statement that causes the event: both are written
 * or neither. `source` selects `(account_id, type, data json, callback_url, once_key)`, at most 1,000 rows. An event
 * without subscribers is not written; one with a `once_key` is written only once for its account.
 */
export function eventOutbox(source: SQL, { eventPrefix, deliveryPrefix } = asParameters(newEventPrefixes())): SQL {
  const { id, accountId, type, data, onceKey, createdAt } = webhookEvents;
  const d = webhookDeliveries;
  const deliveryColumns = columnList(
    ...[d.id, d.accountId, d.eventId, d.endpointId, d.callbackUrl, d.target, d.status, d.createdAt, d.nextAttemptAt],
  );
  const isSubscribed = sql`${e.accountId} = h.account_id and ${isOneOf(e.status, 'enabled')}
    and ((${isOneOf(e.kind, 'endpoint')} and ${e.events} ? h.type)
      or (${isOneOf(e.kind, 'callbacks')} and h.callback_url is not null))`;
  const group = sql`hashtext(split_part(h.callback_url, '/', 3)) & ${callbackGroups - 1}`;
  return sql`webhook_happened (account_id, type, data, callback_url, once_key) as (
      ${source}
    ), webhook_subscribed as (
      select ${numbered(eventPrefix)} as id, h.* from webhook_happened h
      where exists (select 1 from ${webhookEndpoints} ${e} where ${isSubscribed})
    ), webhook_event as (
      insert into ${webhookEvents} ${columnList(id, accountId, type, data, onceKey, createdAt)}
      select id, account_id, type, data, once_key, ${nowOr()} from webhook_subscribed
      on conflict do nothing returning ${id}
    ), webhook_delivery as (
      insert into ${webhookDeliveries} ${deliveryColumns}
      select ${numbered(deliveryPrefix)}, h.account_id, h.id, ${e.id},
        case when ${isOneOf(e.kind, 'callbacks')} then h.callback_url end,
        case when ${isOneOf(e.kind, 'callbacks')} then ${e.id} || ' ' || (${group}) else ${e.id} end,
        'pending', ${nowOr()}, ${nowOr()}
      from webhook_subscribed h join webhook_event using (id) join ${webhookEndpoints} ${e} on ${isSubscribed}
      returning ${d.id}
    )`;
}

export interface EventInput {
  readonly accountId: string;
  readonly type: EventType;
  /** Small: ids, a status, an error; never the content of a document. */
  readonly data: JsonObject;
  /** An https URL from the request, in addition to the account's endpoints. */
  readonly callbackUrl?: string | undefined;
  /** Deduplicates the event within the account. */
  readonly onceKey?: string | undefined;
}

const deliveryRow = rowOf({ id: webhookDeliveries.id });

/**
 * Writes one event and its deliveries, in the transaction `db` if it is one. True when there are subscribers: enqueue a
 * `webhook` job for the account to send it at once; otherwise the sweep sends it within seconds.
 */
export async function enqueueEvent(db: Executor, event: EventInput): Promise<boolean> {
  const source = sql`select ${event.accountId}::text, ${event.type}::text, ${JSON.stringify(event.data)}::json,
    ${event.callbackUrl ?? null}::text, ${event.onceKey ?? null}::text`;
  const rows = await query(db, deliveryRow, sql`with ${eventOutbox(source)} select id from webhook_delivery limit 1`);
  return rows.length === 1;
}

/** The prefixes of the ids of the events and deliveries that one statement writes. */
export interface EventPrefixes<V> {
  readonly eventPrefix: V;
  readonly deliveryPrefix: V;
}

export function newEventPrefixes(): EventPrefixes<string> {
  return { eventPrefix: newId('evt').slice(0, -5), deliveryPrefix: newId('whd').slice(0, -5) };
}

function asParameters({ eventPrefix, deliveryPrefix }: EventPrefixes<string>): EventPrefixes<SQL> {
  return { eventPrefix: sql`${eventPrefix}`, deliveryPrefix: sql`${deliveryPrefix}` };
}

/** One id per row, in order: the prefix and the row number in five characters. */
function numbered(prefix: SQL): SQL {
  return sql`${prefix}::text || lpad(row_number() over ()::text, 5, '0')`;
}
