import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database, Executor, Transaction } from '../../db/client.ts';
import { columnList, isOneOf } from '../../db/column-names.ts';
import { rowOf } from '../../db/row.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { jsonbValue, nowOr, query } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { RecipientLists } from '../../mail-address.ts';
import { findOwnDocument } from '../documents/find-documents.ts';
import { type IdempotencyClaim, once } from '../idempotency-keys.ts';
import { countEmails, type EmailLimits, tallyEmails } from './email-limits.ts';
import { newRecipients } from './recipient-lists.ts';

export interface NewDelivery {
  readonly id: string;
  readonly documentId: string;
  readonly recipients: RecipientLists;
}

const g = aliased(generations, 'g');
const columns = columnList(
  ...[deliveries.id, deliveries.accountId, deliveries.documentId, deliveries.status, deliveries.messageId],
  ...[deliveries.recipients, deliveries.createdAt, deliveries.nextAttemptAt],
);
const createdRow = rowOf({ id: deliveries.id });

/**
 * Sends the e-mail of a document to these recipients, as a new delivery with its own Message-ID. Returns its id, or that
 * of an earlier request with the same idempotency key. Throws `not_found`, `conflict` if the document has no e-mail
 * that can be sent, and `email_limit_exceeded`.
 */
export function createDelivery(
  db: Database,
  accountId: string,
  { id, documentId, recipients }: NewDelivery,
  { limits, claim }: { readonly limits: EmailLimits; readonly claim: Omit<IdempotencyClaim, 'resourceId'> | undefined },
): Promise<string> {
  return once(db, accountId, id, claim, async (tx) => {
    await insert(tx, accountId, { id, documentId, recipients });
    await countEmails(tx, accountId, await tallyEmails(limits, [recipients]));
  });
}

/** Locks the document's row, so that an erasure either prevents the delivery or finds its recipients. */
async function insert(tx: Transaction, accountId: string, { id, documentId, recipients }: NewDelivery): Promise<void> {
  const created = await query(
    tx,
    createdRow,
    sql`insert into ${deliveries} ${columns}
      select ${id}, ${g.accountId}, ${g.id}, 'pending', ${id}, ${jsonbValue(newRecipients(recipients))}, ${nowOr()}, ${nowOr()}
      from ${generations} ${g}
      where ${g.id} = ${documentId} and ${g.accountId} = ${accountId} and ${isOneOf(g.status, 'succeeded')}
        and ${isOneOf(g.resultStore, 'object')} and ${g.email} is not null and ${g.expiresAt} > now() and not ${g.isTest}
      for share of g
      returning ${deliveries.id}`,
  );
  if (created.length === 0) throw await refusal(tx, accountId, documentId);
}

async function refusal(db: Executor, accountId: string, documentId: string): Promise<AppError> {
  const { status, isTest, result, deliveryId } = await findOwnDocument(db, accountId, documentId);
  if (status === 'queued' || status === 'running')
    return new AppError('conflict', 'This document is not finished yet. Try again when its job has ended.');
  if (isTest)
    return new AppError('conflict', 'The document was requested with a test key, so it is not sent. Use another key.');
  if (result?.store !== 'object') return new AppError('not_found', 'The file of this document is no longer kept');
  if (deliveryId === undefined)
    return new AppError('conflict', 'The request for this document has no output.email, so it has no e-mail to send.');
  return new AppError('not_found', 'The file of this document is no longer kept');
}
