import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/** Ends as `unknown` what a lost worker was completing: whether it arrived cannot be known, so it is not sent again. */
export async function endLostDeliveries(db: Executor): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`update deliveries set status = 'unknown', finished_at = now(), locked_until = null,
        last_reply = 'the connection was lost after the message was handed over',
        recipients = (select jsonb_agg(case when r ->> 'status' in ('pending', 'deferred')
          then jsonb_set(r, '{status}', '"unknown"') else r end) from jsonb_array_elements(recipients) r)
      where status = 'transmitting' and locked_until < now() returning id`,
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
