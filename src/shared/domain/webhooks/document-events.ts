import { type SQL, sql } from 'drizzle-orm';
import { type ErrorRecord, errorTable } from '../../errors.ts';
import { isoText } from './emit-event.ts';

const thresholds = sql`(values (80), (100)) as of_month (threshold)`;

/**
 * For `eventOutbox`, in a statement where `done` are the rows of `generations` that ended and `settled` the allowances that
 * paid: `document.succeeded`, and `quota.warning` once for each threshold of a subscription month.
 */
export function successEvents(): SQL {
  return sql`select account_id, 'document.succeeded', ${documentData(sql`'size', result_bytes, 'pages', pages,
      'expiresAt', case when result_store = 'object' then ${isoText(sql`expires_at`)} end`)}, callback_url, null::text
    from done
    union all
    select account_id, 'quota.warning', json_build_object('threshold', threshold, 'allocated', docs, 'used', docs_settled,
        'periodStart', ${isoText(sql`starts_at`)}, 'periodEnd', ${isoText(sql`ends_at`)}),
      null, 'quota ' || id || ' ' || threshold
    from settled, ${thresholds}
    where kind = 'subscription' and docs > 0 and docs_settled * 100::bigint >= docs * threshold::bigint`;
}

/** For `eventOutbox`, where `done` are the rows of `generations` that failed with this error. */
export function failureEvents(error: ErrorRecord): SQL {
  const { code, message, details } = error;
  const answer = { status: errorTable[code].status, message, ...(details !== undefined && { details }) };
  return sql`select account_id, 'document.failed', ${documentData(sql`'error', ${JSON.stringify(answer)}::json`)},
    callback_url, null::text from done`;
}

function documentData(own: SQL): SQL {
  return sql`json_strip_nulls(json_build_object('id', id, 'status', status, 'templateId', template_id,
    'templateVersion', template_version, 'format', format, ${own}, 'createdAt', ${isoText(sql`accepted_at`)},
    'finishedAt', ${isoText(sql`finished_at`)}))`;
}
