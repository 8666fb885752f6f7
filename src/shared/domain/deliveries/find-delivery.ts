import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries, type RecipientResult } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

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

export interface DeliveryMessage {
  readonly subject: string | undefined;
  readonly body: string | undefined;
}

/** What the request said in its e-mail. Undefined where the default was sent, and once the document is deleted. */
export async function findMessage(db: Executor, accountId: string, deliveryId: string): Promise<DeliveryMessage> {
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
  return { subject: subject ?? undefined, body: (isBodyOfBatch ? row?.batchBody : body) ?? undefined };
}

/** The account of a delivery. Throws `not_found`. */
export async function findDeliveryOwner(db: Executor, deliveryId: string): Promise<string> {
  const owner = db.select({ accountId: deliveries.accountId }).from(deliveries).where(eq(deliveries.id, deliveryId));
  const [row] = await run(db, owner);
  if (row === undefined) throw new AppError('not_found', `There is no delivery ${deliveryId}`);
  return row.accountId;
}
