import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database, Executor, Transaction } from '../../db/client.ts';
import { isOneOf, names } from '../../db/column-names.ts';
import { rowOf } from '../../db/row.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { guarded, nowOr, query } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency-keys.ts';
import { countEmails, type EmailLimits, tallyEmails } from './email-limits.ts';
import { findDelivery } from './find-delivery.ts';

const d = aliased(deliveries, 'd');
const g = aliased(generations, 'g');
const set = names(deliveries);

/**
 * Sends a finished delivery again, with the same Message-ID, to the recipients whose delivery is not confirmed. Throws
 * `conflict` if it is in progress or already delivered to every recipient, `not_found` if the document is no longer
 * kept, and `email_limit_exceeded` unless `limits` is undefined.
 */
export async function resendDelivery(
  db: Executor,
  accountId: string,
  id: string,
  limits: EmailLimits | undefined,
): Promise<void> {
  await findDelivery(db, accountId, id);
  await inTransaction(db, async (tx) => {
    const recipients = await restart(tx, accountId, id);
    await countEmails(tx, accountId, await tallyEmails(limits, [{ to: recipients, cc: [], bcc: [] }]));
  });
}

const restartedRow = rowOf({ recipients: deliveries.recipients });

/** Returns the recipients who are sent the message again. */
async function restart(tx: Transaction, accountId: string, id: string): Promise<readonly string[]> {
  const [restarted] = await query(
    tx,
    restartedRow,
    sql`update ${deliveries} ${d} set ${set.status} = 'pending', ${set.attempts} = 0, ${set.nextAttemptAt} = ${nowOr()},
        ${set.finishedAt} = null, ${set.lockedUntil} = null,
        ${set.recipients} = (select jsonb_agg(case when r ->> 'status' = 'sent' then r
          else r - 'reply' || '{"status": "pending"}' end)
          from jsonb_array_elements(${d.recipients}) r)
      from ${generations} ${g}
      where ${d.id} = ${id} and ${g.id} = ${d.documentId} and ${isOneOf(g.resultStore, 'object')}
        and ${g.email} is not null and ${g.expiresAt} > now() and ${isOneOf(d.status, 'partial', 'failed', 'unknown')}
      returning ${d.recipients}`,
  );
  if (restarted !== undefined)
    return restarted.recipients.flatMap(({ address, status }) => (status === 'pending' ? [address] : []));
  const delivery = await findDelivery(tx, accountId, id);
  if (delivery.status === 'sent') throw new AppError('conflict', 'Already delivered to every recipient');
  if (delivery.status === 'skipped')
    throw new AppError('conflict', 'The document was requested with a test key, so it is not sent. Use another key.');
  if (delivery.finishedAt === undefined)
    throw new AppError('conflict', 'This delivery is still in progress. Try again when it has ended.');
  throw new AppError('not_found', 'The document of this delivery is no longer kept');
}

/** Like `resendDelivery`, but bound to an idempotency key: a repeated request sends nothing more. */
export async function resendDeliveryOnce(
  db: Database,
  accountId: string,
  id: string,
  key: Omit<IdempotencyClaim, 'resourceId' | 'requestHash'>,
  limits: EmailLimits | undefined,
): Promise<void> {
  await guarded(() =>
    inTransaction(db, async (tx) => {
      const resourceId = newId('req');
      const holder = await claimIdempotencyKey(tx, accountId, { ...key, requestHash: id, resourceId });
      if (holder.resourceId === resourceId) await resendDelivery(tx, accountId, id, limits);
    }),
  );
}
