import { type SQL, sql } from 'drizzle-orm';
import { isoText } from '../webhooks/emit-event.ts';

/**
 * For `eventOutbox`, in a statement where `done` are rows of `batches` that ended: `batch.completed`, whose `status` says
 * how. Its counts are those of the rows' documents.
 */
export function batchEvents(): SQL {
  return sql`select account_id, 'batch.completed', json_strip_nulls(json_build_object('id', id, 'status', status,
      'templateId', template_id, 'templateVersion', template_version, 'format', format, 'bundle', bundle, 'rows', rows,
      'counts', (select json_build_object('succeeded', count(*) filter (where g.status = 'succeeded'),
          'failed', count(*) filter (where g.status = 'failed'), 'cancelled', count(*) filter (where g.status = 'cancelled'))
        from batch_rows r join generations g on g.id = r.generation_id where r.batch_id = done.id),
      'error', error ->> 'message', 'createdAt', ${isoText(sql`accepted_at`)}, 'finishedAt', ${isoText(sql`finished_at`)},
      'expiresAt', ${isoText(sql`expires_at`)})), callback_url, null::text from done`;
}
