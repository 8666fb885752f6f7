import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import { isOneOf } from '../../db/column-names.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { allowances } from '../../db/schema/quota.ts';
import { type ErrorRecord, errorTable } from '../../errors.ts';

/** A time as the API returns it: ISO 8601 in UTC with milliseconds. */
const isoText = (time: unknown): SQL => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The rows that ended, as returned by the statement's common table expression `done`. */
const document = aliased(generations, 'done');
const settled = aliased(allowances, 'settled');

/**
 * For `eventOutbox`, in a statement where `done` are the `documents` that succeeded and `settled` the allowances that
 * were charged: `document.succeeded`, and `quota.warning` once for each threshold of a subscription month.
 */
export function successEvents(): SQL {
  const { accountId, resultBytes, pages, expiresAt, resultStore, callbackUrl } = document;
  const expiry = sql`case when ${isOneOf(resultStore, 'object')} then ${isoText(expiresAt)} end`;
  return sql`select ${accountId}, 'document.succeeded',
      ${documentData(sql`'size', ${resultBytes}, 'pages', ${pages}, 'expiresAt', ${expiry}`)}, ${callbackUrl}, null::text
    from done
    union all
    select ${settled.accountId}, 'quota.warning', json_build_object('threshold', threshold, 'allocated', ${settled.docs},
        'used', ${settled.docsSettled}, 'periodStart', ${isoText(settled.startsAt)}, 'periodEnd', ${isoText(settled.endsAt)}),
      null, 'quota ' || ${settled.id} || ' ' || threshold
    from settled, (values (80), (100)) as of_month (threshold)
    where ${isOneOf(settled.kind, 'subscription')} and ${settled.docs} > 0
      and ${settled.docsSettled} * 100::bigint >= ${settled.docs} * threshold::bigint`;
}

/** For `eventOutbox`, where `done` are the `documents` that failed with this error: `document.failed`. */
export function failureEvents(error: ErrorRecord): SQL {
  const { code, message, details } = error;
  const response = { status: errorTable[code].status, message, ...(details !== undefined && { details }) };
  return sql`select ${document.accountId}, 'document.failed',
    ${documentData(sql`'error', ${JSON.stringify(response)}::json`)}, ${document.callbackUrl}, null::text from done`;
}

function documentData(more: SQL): SQL {
  const { id, status, templateId, templateVersion, format, isTest, acceptedAt, finishedAt } = document;
  return sql`json_strip_nulls(json_build_object('id', ${id}, 'status', ${status}, 'templateId', ${templateId},
    'templateVersion', ${templateVersion}, 'format', ${format}, 'test', case when ${isTest} then true end, ${more},
    'createdAt', ${isoText(acceptedAt)}, 'finishedAt', ${isoText(finishedAt)}))`;
}

const delivery = aliased(deliveries, 'done');

/** For `eventOutbox`, where `done` are the `deliveries` that ended: `email.failed` for those not sent to everyone. */
export function emailEvents(): SQL {
  const { accountId, id, documentId, status, attempts, recipients, lastReply, createdAt, finishedAt } = delivery;
  const count = (outcome: string): SQL =>
    sql`(select count(*) from jsonb_array_elements(${recipients}) r where r ->> 'status' = ${outcome})`;
  return sql`select ${accountId}, 'email.failed', json_strip_nulls(json_build_object('id', ${id},
      'documentId', ${documentId}, 'status', ${status}, 'attempts', ${attempts},
      'recipients', json_build_object('sent', ${count('sent')}, 'failed', ${count('failed')}, 'unknown', ${count('unknown')}),
      'reply', ${lastReply}, 'createdAt', ${isoText(createdAt)}, 'finishedAt', ${isoText(finishedAt)})),
    null::text, null::text
  from done where ${isOneOf(status, 'partial', 'failed', 'unknown')}`;
}

const batch = aliased(batches, 'done');
const r = aliased(batchRows, 'r');
const g = aliased(generations, 'g');

/**
 * For `eventOutbox`, where `done` are the `batches` that ended: `batch.completed`, with the final `status` and the
 * counts of the rows' documents.
 */
export function batchEvents(): SQL {
  const { accountId, id, status, templateId, templateVersion, format, bundle, rows, error, callbackUrl } = batch;
  const count = (outcome: 'succeeded' | 'failed' | 'cancelled'): SQL =>
    sql`count(*) filter (where ${isOneOf(g.status, outcome)})`;
  return sql`select ${accountId}, 'batch.completed', json_strip_nulls(json_build_object('id', ${id}, 'status', ${status},
      'templateId', ${templateId}, 'templateVersion', ${templateVersion}, 'format', ${format}, 'bundle', ${bundle},
      'rows', ${rows}, 'counts', (select json_build_object('succeeded', ${count('succeeded')},
          'failed', ${count('failed')}, 'cancelled', ${count('cancelled')})
        from ${batchRows} ${r} join ${generations} ${g} on ${g.id} = ${r.documentId} where ${r.batchId} = ${id}),
      'error', ${error} ->> 'message', 'createdAt', ${isoText(batch.acceptedAt)},
      'finishedAt', ${isoText(batch.finishedAt)}, 'expiresAt', ${isoText(batch.expiresAt)})), ${callbackUrl}, null::text
    from done`;
}
