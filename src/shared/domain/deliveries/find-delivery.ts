import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { DeliveryRecord, DeliveryStatus, RecipientResult } from './delivery-record.ts';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly generation_id: string;
  readonly status: DeliveryStatus;
  readonly recipients: readonly RecipientResult[];
  readonly attempts: number;
  readonly last_reply: string | null;
  readonly created_at: string;
  readonly next_attempt_at: string;
  readonly finished_at: string | null;
}

export const deliveryNotFound = (): AppError => new AppError('not_found', 'There is no delivery with this id');

export async function findDelivery(db: Executor, accountId: string, id: string): Promise<DeliveryRecord> {
  const [row] = await run<Row>(
    db,
    sql`select id, generation_id, status, recipients, attempts, last_reply, created_at, next_attempt_at, finished_at
      from deliveries where id = ${id} and account_id = ${accountId}`,
  );
  if (row === undefined) throw deliveryNotFound();
  return {
    id: row.id,
    generationId: row.generation_id,
    status: row.status,
    recipients: row.recipients,
    attempts: row.attempts,
    lastReply: row.last_reply ?? undefined,
    createdAt: new Date(row.created_at),
    nextAttemptAt: row.finished_at === null ? new Date(row.next_attempt_at) : undefined,
    finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
  };
}
