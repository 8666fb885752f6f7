import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf, names } from '../../db/column-names.ts';
import { nullable, rowOf, text } from '../../db/row.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries, type RecipientResult } from '../../db/schema/deliveries.ts';
import { type EmailRequest, generations } from '../../db/schema/documents.ts';
import { jsonbValue, nowPlus, query, run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import type { RequestTrace } from '../../request-trace.ts';
import type { OutputFormat, ResultLocation } from '../documents/document-record.ts';
import { toResult } from '../documents/document-record.ts';
import { traceOf } from '../documents/trace-of.ts';
import { emailEvents } from '../webhooks/event-data.ts';
import { eventOutbox } from '../webhooks/event-outbox.ts';
import { recipientLists } from './recipient-lists.ts';

export interface ClaimedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly attemptToken: string;
  readonly attempts: number;
  readonly messageId: string;
  readonly recipients: readonly RecipientResult[];
  readonly email: EmailRequest;
  readonly filename: string;
  readonly format: OutputFormat;
  /** The document's locale, as a BCP 47 language tag. */
  readonly locale: string | undefined;
  readonly result: ResultLocation | undefined;
  readonly documentId: string;
  /** The trace of the request that created the document. */
  readonly trace: RequestTrace | undefined;
}

export type DeliveryAttempt = Pick<ClaimedDelivery, 'id' | 'attemptToken'>;

const d = aliased(deliveries, 'd');
const g = aliased(generations, 'g');
const b = aliased(batches, 'b');
const set = names(deliveries);

const claimRow = rowOf({
  account_id: deliveries.accountId,
  attempts: deliveries.attempts,
  message_id: deliveries.messageId,
  recipients: deliveries.recipients,
  email: generations.email,
  batch_body: nullable(text),
  filename: generations.filename,
  format: generations.format,
  locale: nullable(text),
  generation_id: deliveries.documentId,
  trace: generations.trace,
  result_store: generations.resultStore,
  result_key: generations.resultKey,
  result_bytes: generations.resultBytes,
  result_checksum: generations.resultChecksum,
});

/**
 * Claims a due delivery for one attempt. A delivery that a crashed worker left in `sending` is claimed again once its
 * lease has expired, because its message was not sent. One left in `transmitting` is not claimed: `endLostDeliveries`
 * ends it as `unknown`.
 */
export async function claimDelivery(db: Executor, id: string, leaseMs: number): Promise<ClaimedDelivery | undefined> {
  const attemptToken = newId('att');
  const [row] = await query(
    db,
    claimRow,
    sql`update ${deliveries} ${d} set ${set.status} = 'sending', ${set.attempts} = ${d.attempts} + 1,
        ${set.attemptToken} = ${attemptToken}, ${set.lockedUntil} = ${nowPlus(leaseMs)}
      from ${generations} ${g} left join ${batches} ${b} on ${b.id} = ${g.batchId}
      where ${d.id} = ${id} and ${g.id} = ${d.documentId} and ${g.email} is not null
        and ((${isOneOf(d.status, 'pending')} and ${d.nextAttemptAt} <= now())
          or (${isOneOf(d.status, 'sending')} and ${d.lockedUntil} < now()))
      returning ${d.accountId}, ${d.attempts}, ${d.messageId}, ${d.recipients}, ${g.email},
        case when (${g.email} ->> 'isBodyOfBatch')::boolean then ${b.emailBody} end as batch_body, ${g.filename},
        ${g.format}, ${g.renderOptions} ->> 'locale' as locale, ${d.documentId}, ${traceOf(g)} as trace, ${g.resultStore}, ${g.resultKey}, ${g.resultBytes}, ${g.resultChecksum}`,
  );
  if (row === undefined || row.email === null) return undefined;
  return {
    id,
    accountId: row.account_id,
    attemptToken,
    attempts: row.attempts,
    messageId: row.message_id,
    recipients: row.recipients,
    email: {
      ...row.email,
      ...recipientLists(row.recipients, row.email),
      ...(row.batch_body !== null && { body: row.batch_body }),
    },
    filename: row.filename,
    format: row.format,
    locale: row.locale ?? undefined,
    documentId: row.generation_id,
    trace: row.trace ?? undefined,
    result: toResult({
      resultStore: row.result_store,
      resultKey: row.result_key,
      resultBytes: row.result_bytes,
      resultChecksum: row.result_checksum,
    }),
  };
}

/** Extends the lease. False when it has expired or another attempt holds the delivery. */
export function renewLease(db: Executor, attempt: DeliveryAttempt, leaseMs: number): Promise<boolean> {
  return extend(db, attempt, leaseMs, isOneOf(deliveries.status, 'sending', 'transmitting'));
}

/**
 * Records that the final dot is about to be sent: from then on a lost worker or connection means `unknown`, never
 * another attempt. False if the attempt was fenced or its lease has expired; the message must then not be completed.
 */
export function markTransmitting(db: Executor, attempt: DeliveryAttempt, leaseMs: number): Promise<boolean> {
  return extend(db, attempt, leaseMs, isOneOf(deliveries.status, 'sending'), { status: 'transmitting' });
}

async function extend(
  db: Executor,
  { id, attemptToken }: DeliveryAttempt,
  leaseMs: number,
  isInStatus: SQL,
  changes: { readonly status?: 'transmitting' } = {},
): Promise<boolean> {
  const isHeld = and(eq(deliveries.id, id), isInStatus, eq(deliveries.attemptToken, attemptToken));
  const rows = await run(
    db,
    db
      .update(deliveries)
      .set({ ...changes, lockedUntil: nowPlus(leaseMs) })
      .where(and(isHeld, gt(deliveries.lockedUntil, sql`now()`)))
      .returning({ id: deliveries.id }),
  );
  return rows.length === 1;
}

export interface DeliveryOutcome {
  /** `pending` schedules another attempt after `retryInMs`. */
  readonly status: 'pending' | 'sent' | 'partial' | 'failed' | 'unknown';
  readonly recipients: readonly RecipientResult[];
  readonly reply: string | undefined;
  readonly retryInMs: number;
}

export const endedRow = rowOf({ id: deliveries.id });

/** Ends an attempt and writes its event. False, without any change, if the attempt was fenced. */
export async function settleDelivery(
  db: Executor,
  { id, attemptToken }: DeliveryAttempt,
  { status, recipients, reply, retryInMs }: DeliveryOutcome,
): Promise<boolean> {
  const rows = await query(
    db,
    endedRow,
    sql`with done as (
        update ${deliveries} set ${set.status} = ${status}, ${set.recipients} = ${jsonbValue(recipients)},
          ${set.lastReply} = ${reply ?? null}, ${set.lockedUntil} = null,
          ${set.nextAttemptAt} = ${nowPlus(retryInMs)},
          ${set.finishedAt} = case when ${status !== 'pending'} then now() end
        where ${deliveries.id} = ${id} and ${isOneOf(deliveries.status, 'sending', 'transmitting')}
          and ${deliveries.attemptToken} = ${attemptToken}
        returning *
      ), ${eventOutbox(emailEvents())}
      select ${set.id} from done`,
  );
  return rows.length === 1;
}
