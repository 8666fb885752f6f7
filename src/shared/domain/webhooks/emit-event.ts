import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import type { EventType } from './event-types.ts';

/** Callbacks are bounded by their host, in so many groups: a power of two. */
const callbackLanes = 16;

/**
 * The outbox as common table expressions, to stand behind `with …,` in the statement that makes the event true: both are
 * written or neither. `source` selects `(account_id, type, data json, callback_url, once_key)`, at most 1,000 rows. An
 * event that nobody listens to is not written; one with a `once_key` is written once for its account, ever.
 */
export function eventOutbox(source: SQL): SQL {
  const hasSubscribers = sql`e.account_id = h.account_id and e.status = 'enabled'
    and ((e.kind = 'endpoint' and e.events ? h.type) or (e.kind = 'callbacks' and h.callback_url is not null))`;
  return sql`webhook_happened (account_id, type, data, callback_url, once_key) as (
      ${source}
    ), webhook_heard as (
      select ${numbered(newId('evt'))} as id, h.* from webhook_happened h
      where exists (select 1 from webhook_endpoints e where ${hasSubscribers})
    ), webhook_event as (
      insert into webhook_events (id, account_id, type, data, once_key, created_at)
      select id, account_id, type, data, once_key, ${nowOr()} from webhook_heard
      on conflict do nothing returning id
    ), webhook_delivery as (
      insert into webhook_deliveries (id, account_id, event_id, endpoint_id, callback_url, target, status, created_at, next_attempt_at)
      select ${numbered(newId('whd'))}, h.account_id, h.id, e.id, case when e.kind = 'callbacks' then h.callback_url end,
        case when e.kind = 'callbacks' then e.id || ' ' || (hashtext(split_part(h.callback_url, '/', 3)) & ${callbackLanes - 1}) else e.id end,
        'pending', ${nowOr()}, ${nowOr()}
      from webhook_heard h join webhook_event using (id) join webhook_endpoints e on ${hasSubscribers}
      returning id
    )`;
}

export interface EventInput {
  readonly accountId: string;
  readonly type: EventType;
  /** Small: ids, a status, an error; never what a document holds. */
  readonly data: Readonly<Record<string, unknown>>;
  /** An https address that one request named, beside the account's endpoints. */
  readonly callbackUrl?: string | undefined;
  /** Says it once for the account, however often it is called. */
  readonly onceKey?: string | undefined;
}

/**
 * Writes one event and its deliveries; inside a transaction, with all that it does. True when somebody is to be told: then
 * a `webhook` job for the account sends it at once, and without one the sweep does within seconds.
 */
export async function enqueueEvent(db: Executor, event: EventInput): Promise<boolean> {
  const source = sql`select ${event.accountId}::text, ${event.type}::text, ${JSON.stringify(event.data)}::json,
    ${event.callbackUrl ?? null}::text, ${event.onceKey ?? null}::text`;
  const rows = await run(db, sql`with ${eventOutbox(source)} select id from webhook_delivery limit 1`);
  return rows.length === 1;
}

/** A moment as it stands in the API's answers. */
export function isoText(time: SQL): SQL {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** As many ids as there are rows, in order, from one: its last five characters give way to the row's number. */
function numbered(id: string): SQL {
  return sql`${id.slice(0, -5)}::text || lpad(row_number() over ()::text, 5, '0')`;
}
