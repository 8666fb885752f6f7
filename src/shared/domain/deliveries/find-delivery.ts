import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { deliveries, type RecipientResult } from '../../db/schema/deliveries.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export type DeliveryStatus = (typeof deliveries.$inferSelect)['status'];

export interface DeliveryRecord {
  readonly id: string;
  readonly generationId: string;
  readonly status: DeliveryStatus;
  readonly recipients: readonly RecipientResult[];
  readonly attempts: number;
  readonly lastReply: string | undefined;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  readonly finishedAt: Date | undefined;
}

/** The account's delivery. Throws `not_found` if it does not exist or belongs to another account. */
export async function findDelivery(db: Executor, accountId: string, id: string): Promise<DeliveryRecord> {
  const { generationId, status, recipients, attempts, lastReply, createdAt, nextAttemptAt, finishedAt } = deliveries;
  const [row] = await run(
    db,
    db
      .select({
        id: deliveries.id,
        generationId,
        status,
        recipients,
        attempts,
        lastReply,
        createdAt,
        nextAttemptAt,
        finishedAt,
      })
      .from(deliveries)
      .where(and(eq(deliveries.id, id), eq(deliveries.accountId, accountId))),
  );
  if (row === undefined) throw new AppError('not_found', 'There is no delivery with this id');
  return {
    ...row,
    lastReply: row.lastReply ?? undefined,
    nextAttemptAt: row.finishedAt === null ? row.nextAttemptAt : undefined,
    finishedAt: row.finishedAt ?? undefined,
  };
}
