import { and, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf, isOneOf, names } from '../../db/column-names.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { query, run } from '../../db/statement.ts';
import { isBehind, nextCursor, type TimeCursor } from '../../db/time-cursor.ts';
import { emailEvents } from '../webhooks/event-data.ts';
import { eventOutbox } from '../webhooks/event-outbox.ts';
import { endedRow } from './delivery-attempt.ts';

const d = aliased(deliveries, 'd');
const g = aliased(generations, 'g');
const set = names(deliveries);

/**
 * Ends deliveries as `unknown` if their worker was lost while transmitting, because the message may have arrived.
 * Returns the ids.
 */
export async function endLostDeliveries(db: Executor): Promise<readonly string[]> {
  const rows = await query(
    db,
    endedRow,
    sql`with done as (
        update ${deliveries} set ${set.status} = 'unknown', ${set.finishedAt} = now(), ${set.lockedUntil} = null,
          ${set.lastReply} = 'the connection was lost after the message was sent',
          ${set.recipients} = ${endOpenRecipients(deliveries.recipients, 'unknown')}
        where ${isOneOf(deliveries.status, 'transmitting')} and ${deliveries.lockedUntil} < now() returning *
      ), ${eventOutbox(emailEvents())}
      select ${set.id} from done`,
  );
  return rows.map((row) => row.id);
}

/**
 * Ends all open deliveries as `unknown` after a backup was restored, because their messages may have been sent since.
 * Returns the ids.
 */
export async function endOpenDeliveries(db: Executor): Promise<readonly string[]> {
  const rows = await query(
    db,
    endedRow,
    sql`with done as (
        update ${deliveries} set ${set.status} = 'unknown', ${set.finishedAt} = now(), ${set.lockedUntil} = null,
          ${set.lastReply} = 'the service was restored from a backup: the message may have been sent',
          ${set.recipients} = ${endOpenRecipients(deliveries.recipients, 'unknown')}
        where ${isOneOf(deliveries.status, 'pending', 'sending', 'transmitting')} returning *
      ), ${eventOutbox(emailEvents())}
      select ${set.id} from done`,
  );
  return rows.map((row) => row.id);
}

/**
 * Ends the given deliveries if they cannot be completed, because the worker of the last attempt was lost or the
 * document is no longer kept. Keeps the results of recipients; those still open have certainly not received the
 * message. Returns the ids.
 */
export async function endUndeliverableEmails(
  db: Executor,
  ids: readonly string[],
  maxAttempts: number,
): Promise<readonly string[]> {
  const rows = await query(
    db,
    endedRow,
    sql`with done as (
        update ${deliveries} ${d} set ${set.finishedAt} = now(), ${set.lockedUntil} = null,
          ${set.recipients} = ${endOpenRecipients(d.recipients, 'failed')},
          ${set.lastReply} = case when ${isOneOf(d.status, 'sending')}
            then 'the workers that tried to send the message were lost' else 'the document is no longer kept' end,
          ${set.status} = case when ${d.recipients} @> '[{"status": "unknown"}]' then 'unknown'
            when ${d.recipients} @> '[{"status": "sent"}]' then 'partial' else 'failed' end
        where ${isAnyIdOf(d.id, ids)}
          and ((${isOneOf(d.status, 'sending')} and ${d.lockedUntil} < now() and ${d.attempts} >= ${maxAttempts})
            or (${isOneOf(d.status, 'pending')} and exists (
              select 1 from ${generations} ${g} where ${g.id} = ${d.documentId} and ${g.email} is null)))
        returning ${d}.*
      ), ${eventOutbox(emailEvents())}
      select ${set.id} from done`,
  );
  return rows.map((row) => row.id);
}

const { id, status, nextAttemptAt, lockedUntil } = deliveries;

export interface DueDeliveries {
  readonly ids: readonly string[];
  readonly next: TimeCursor | undefined;
}

/** The next deliveries that are due, longest overdue first. */
export async function findDueDeliveries(db: Executor, after: TimeCursor, limit: number): Promise<DueDeliveries> {
  const rows = await run(
    db,
    db
      .select({ id, at: nextAttemptAt })
      .from(deliveries)
      .where(and(isOneOf(status, 'pending'), lte(nextAttemptAt, sql`now()`), isBehind(nextAttemptAt, id, after)))
      .orderBy(nextAttemptAt, id)
      .limit(limit),
  );
  return { ids: rows.map((row) => row.id), next: nextCursor(rows, limit) };
}

/** Deliveries whose worker was lost before it completed the message. */
export async function findLeftDeliveries(db: Executor, limit: number): Promise<readonly string[]> {
  const isLeft = and(
    isOneOf(status, 'sending'),
    isOneOf(status, 'sending', 'transmitting'),
    lt(lockedUntil, sql`now()`),
  );
  const rows = await run(db, db.select({ id }).from(deliveries).where(isLeft).orderBy(lockedUntil).limit(limit));
  return rows.map((row) => row.id);
}

/** The recipients of a delivery, where those still pending or deferred get `status`. */
function endOpenRecipients(recipients: PgColumn, status: 'unknown' | 'failed'): SQL {
  return sql`(select jsonb_agg(case when r ->> 'status' in ('pending', 'deferred')
      then jsonb_set(r, '{status}', to_jsonb(${status}::text)) else r end order by position)
    from jsonb_array_elements(${recipients}) with ordinality as of_delivery (r, position))`;
}
