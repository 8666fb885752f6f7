import { type SQL, sql } from 'drizzle-orm';
import { isoText } from './emit-event.ts';

/** For `eventOutbox`, where `done` are the rows of `deliveries` that ended: `email.failed` for those not sent to all. */
export function emailEvents(): SQL {
  const count = (status: string): SQL =>
    sql`(select count(*) from jsonb_array_elements(recipients) r where r ->> 'status' = ${status})`;
  return sql`select account_id, 'email.failed', json_strip_nulls(json_build_object('id', id, 'documentId', generation_id,
      'status', status, 'attempts', attempts, 'recipients', json_build_object('sent', ${count('sent')},
        'failed', ${count('failed')}, 'unknown', ${count('unknown')}),
      'reply', last_reply, 'createdAt', ${isoText(sql`created_at`)}, 'finishedAt', ${isoText(sql`finished_at`)})),
    null::text, null::text
  from done where status in ('partial', 'failed', 'unknown')`;
}
