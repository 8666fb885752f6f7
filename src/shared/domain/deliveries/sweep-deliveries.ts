import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { emailEvents } from '../webhooks/email-events.ts';
import { eventOutbox } from '../webhooks/emit-event.ts';

/** Ends as `unknown` what a lost worker was completing: whether it arrived cannot be known, so it is not sent again. */
export async function endLostDeliveries(db: Executor): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`with done as (update deliveries set status = 'unknown', finished_at = now(), locked_until = null,
        last_reply = 'the connection was lost after the message was handed over', recipients = ${endOpen('unknown')}
      where status = 'transmitting' and locked_until < now() returning *), ${eventOutbox(emailEvents())} select id from done`,
  );
  return rows.map((row) => row.id);
}

/**
 * Ends what can never be completed: its last attempt took its worker with it, or the document is no longer kept. Those
 * who have it keep it; the others have certainly not got it.
 */
export async function endHopelessDeliveries(db: Executor, maxAttempts: number): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`with done as (update deliveries d set finished_at = now(), locked_until = null, recipients = ${endOpen('failed')},
        last_reply = case when d.status = 'sending' then 'the workers that tried to send the message were lost'
          else 'the document is no longer kept' end,
        status = case when d.recipients @> '[{"status": "unknown"}]' then 'unknown'
          when d.recipients @> '[{"status": "sent"}]' then 'partial' else 'failed' end
      where (d.status = 'sending' and d.locked_until < now() and d.attempts >= ${maxAttempts})
        or (d.status = 'pending' and exists (
          select 1 from generations g where g.id = d.generation_id and g.email is null))
      returning d.*), ${eventOutbox(emailEvents())} select id from done`,
  );
  return rows.map((row) => row.id);
}

/** Deliveries that are due, or whose worker is lost before it completed the message. */
export async function findDueDeliveries(db: Executor, limit: number): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`select id from deliveries
      where (status = 'pending' and next_attempt_at <= now()) or (status = 'sending' and locked_until < now())
      order by next_attempt_at limit ${limit}`,
  );
  return rows.map((row) => row.id);
}

/** The recipients of a delivery, those that are still open ended as `status`. */
function endOpen(status: 'unknown' | 'failed'): SQL {
  return sql`(select jsonb_agg(case when r ->> 'status' in ('pending', 'deferred')
      then jsonb_set(r, '{status}', to_jsonb(${status}::text)) else r end order by position)
    from jsonb_array_elements(recipients) with ordinality as of_delivery (r, position))`;
}
