import { and, desc, eq, lt } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf } from '../../db/column-names.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { run } from '../../db/statement.ts';
import { type DeliveryRecord, type DeliveryStatus, deliveryColumns, toDeliveryRecord } from './find-delivery.ts';

export interface DeliveryPageInput {
  readonly accountId: string;
  readonly statuses?: readonly DeliveryStatus[] | undefined;
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly before?: string | undefined;
}

export const deliveryStatuses = deliveries.status.enumValues;

/** No index has the status, so a page reads at most so many deliveries. */
const maxRead = 2_000;

/**
 * A page of the account's e-mail deliveries, newest first. With statuses, a page may be short or empty although older ones
 * follow; `next` is undefined on the last page only.
 */
export async function listDeliveries(
  db: Executor,
  { accountId, statuses, limit, before }: DeliveryPageInput,
): Promise<{ readonly deliveries: readonly DeliveryRecord[]; readonly next: string | undefined }> {
  const max = statuses === undefined ? limit : maxRead;
  const d = deliveries;
  const read = await run(
    db,
    db
      .select({ id: d.id, status: d.status })
      .from(d)
      .where(and(eq(d.accountId, accountId), before === undefined ? undefined : lt(d.id, before)))
      .orderBy(desc(d.id))
      .limit(max + 1),
  );
  const found = read.slice(0, max).filter(({ status }) => statuses?.includes(status) ?? true);
  const ids = found.slice(0, limit).map(({ id }) => id);
  const next = found.length > limit ? ids.at(-1) : read.length > max ? read[max - 1]?.id : undefined;
  const rows = await run(db, db.select(deliveryColumns).from(d).where(isAnyIdOf(d.id, ids)).orderBy(desc(d.id)));
  return { deliveries: rows.map(toDeliveryRecord), next };
}
