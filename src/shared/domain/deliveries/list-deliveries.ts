import { and, desc, eq, lt } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf } from '../../db/column-names.ts';
import { deliveries, type RecipientResult } from '../../db/schema/deliveries.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { DeliveryStatus } from './find-delivery.ts';

export interface DeliverySummary {
  readonly deliveryId: string;
  readonly documentId: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly recipients: readonly RecipientResult[];
  readonly lastReply: string | null;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface DeliveryPage {
  readonly accountId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly before?: string | undefined;
}

export const deliveryStatuses = deliveries.status.enumValues;

/** No index has the status, so a page reads at most so many deliveries of other statuses. */
const maxRead = 10_000;

/**
 * A page of the account's e-mail deliveries, newest first. With a status, a page may be short or empty although older ones
 * follow; `next` is null on the last page only.
 */
export async function listDeliveries(
  db: Executor,
  { accountId, status, limit, before }: DeliveryPage,
): Promise<{ readonly deliveries: readonly DeliverySummary[]; readonly next: string | null }> {
  const max = status === undefined ? limit : maxRead;
  const d = deliveries;
  const owned = and(eq(d.accountId, accountId), before === undefined ? undefined : lt(d.id, before));
  const read = await run(
    db,
    db
      .select({ id: d.id, status: d.status })
      .from(d)
      .where(owned)
      .orderBy(desc(d.id))
      .limit(max + 1),
  );
  const found = read.slice(0, max).filter((row) => status === undefined || row.status === status);
  const ids = found.slice(0, limit).map(({ id }) => id);
  const last = found.length > limit ? ids.at(-1) : read.length > max ? read[max - 1]?.id : undefined;
  return { deliveries: await findSummaries(db, ids), next: last ?? null };
}

async function findSummaries(db: Executor, ids: readonly string[]): Promise<readonly DeliverySummary[]> {
  const { generationId, status, attempts, recipients, lastReply, createdAt, nextAttemptAt, finishedAt } = deliveries;
  const columns = {
    deliveryId: deliveries.id,
    documentId: generationId,
    status,
    attempts,
    recipients,
    lastReply,
    createdAt,
    nextAttemptAt,
    finishedAt,
  };
  const rows = await run(
    db,
    db.select(columns).from(deliveries).where(isAnyIdOf(deliveries.id, ids)).orderBy(desc(deliveries.id)),
  );
  return rows.map((row) => ({ ...row, nextAttemptAt: row.finishedAt === null ? row.nextAttemptAt : null }));
}

/** The account of a delivery. Throws `not_found`. */
export async function findDeliveryOwner(db: Executor, id: string): Promise<string> {
  const [row] = await run(
    db,
    db.select({ accountId: deliveries.accountId }).from(deliveries).where(eq(deliveries.id, id)),
  );
  if (row === undefined) throw new AppError('not_found', `There is no delivery ${id}`);
  return row.accountId;
}
