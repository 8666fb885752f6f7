import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries, type RecipientResult } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { RecipientLists } from '../../mail-address.ts';
import { recipientLists } from './recipient-lists.ts';

export type DeliveryStatus = (typeof deliveries.$inferSelect)['status'];

export interface DeliveryRecord {
  readonly id: string;
  readonly documentId: string;
  readonly status: DeliveryStatus;
  readonly recipients: readonly RecipientResult[];
  readonly attempts: number;
  readonly lastReply: string | undefined;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  readonly finishedAt: Date | undefined;
}

const { id, documentId, status, recipients, attempts, lastReply, createdAt, nextAttemptAt, finishedAt } = deliveries;

export const deliveryColumns = {
  id,
  documentId,
  status,
  recipients,
  attempts,
  lastReply,
  createdAt,
  nextAttemptAt,
  finishedAt,
};

type Row = Pick<typeof deliveries.$inferSelect, keyof typeof deliveryColumns>;

export function toDeliveryRecord(row: Row): DeliveryRecord {
  return {
    ...row,
    lastReply: row.lastReply ?? undefined,
    nextAttemptAt: row.finishedAt === null ? row.nextAttemptAt : undefined,
    finishedAt: row.finishedAt ?? undefined,
  };
}

/** The account's delivery. Throws `not_found` if it does not exist or belongs to another account. */
export async function findDelivery(db: Executor, accountId: string, deliveryId: string): Promise<DeliveryRecord> {
  const isOwn = and(eq(deliveries.id, deliveryId), eq(deliveries.accountId, accountId));
  const [row] = await run(db, db.select(deliveryColumns).from(deliveries).where(isOwn));
  if (row === undefined) throw new AppError('not_found', 'There is no delivery with this id');
  return toDeliveryRecord(row);
}

/** The deliveries of a document, oldest first. */
export async function listDeliveriesOf(
  db: Executor,
  accountId: string,
  ofDocument: string,
): Promise<readonly DeliveryRecord[]> {
  const isOwn = and(eq(deliveries.documentId, ofDocument), eq(deliveries.accountId, accountId));
  const rows = await run(db, db.select(deliveryColumns).from(deliveries).where(isOwn).orderBy(deliveries.id));
  return rows.map(toDeliveryRecord);
}

export interface DeliveryMessage {
  /** Undefined once the document is deleted. */
  readonly lists: RecipientLists | undefined;
  /** As the request says; undefined where the default was sent, and once the document is deleted. */
  readonly subject: string | undefined;
  readonly body: string | undefined;
}

/** The message of a delivery without its attachment. */
export async function findMessage(
  db: Executor,
  accountId: string,
  { id: deliveryId, recipients: own }: Pick<DeliveryRecord, 'id' | 'recipients'>,
): Promise<DeliveryMessage> {
  const [row] = await run(
    db,
    db
      .select({ email: generations.email, batchBody: batches.emailBody })
      .from(deliveries)
      .innerJoin(generations, eq(generations.id, deliveries.documentId))
      .leftJoin(batches, eq(batches.id, generations.batchId))
      .where(and(eq(deliveries.id, deliveryId), eq(deliveries.accountId, accountId))),
  );
  const { subject, body, isBodyOfBatch } = row?.email ?? {};
  const lists = row?.email === undefined || row.email === null ? undefined : recipientLists(own, row.email);
  return { lists, subject: subject ?? undefined, body: (isBodyOfBatch ? row?.batchBody : body) ?? undefined };
}

/** The account of a delivery. Throws `not_found`. */
export async function findDeliveryOwner(db: Executor, deliveryId: string): Promise<string> {
  const owner = db.select({ accountId: deliveries.accountId }).from(deliveries).where(eq(deliveries.id, deliveryId));
  const [row] = await run(db, owner);
  if (row === undefined) throw new AppError('not_found', `There is no delivery ${deliveryId}`);
  return row.accountId;
}
