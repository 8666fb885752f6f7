import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf } from '../../db/column-names.ts';
import { containsText } from '../../db/contains-text.ts';
import { idsBetween } from '../../db/newest-ids.ts';
import { bool, cast } from '../../db/row.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { run } from '../../db/statement.ts';
import { type DeliveryRecord, type DeliveryStatus, deliveryColumns, toDeliveryRecord } from './find-delivery.ts';

export interface DeliveryPageInput {
  readonly accountId: string;
  readonly statuses?: readonly DeliveryStatus[] | undefined;
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly before?: string | undefined;
  /** Only deliveries created at or after this time and before `to`, according to their ids. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Only deliveries whose id, document or recipient contains this string, ignoring case. */
  readonly search?: string | undefined;
}

export const deliveryStatuses = deliveries.status.enumValues;

/** No index covers the status and the recipients, so a page reads at most this many deliveries. */
const maxRead = 2_000;

/**
 * A page of the account's e-mail deliveries, newest first. With statuses or a search, a page may be short or even empty
 * although older deliveries match; `next` is undefined only on the last page.
 */
export async function listDeliveries(
  db: Executor,
  { accountId, statuses, limit, search, ...range }: DeliveryPageInput,
): Promise<{ readonly deliveries: readonly DeliveryRecord[]; readonly next: string | undefined }> {
  const max = statuses === undefined && search === undefined ? limit : maxRead;
  const d = deliveries;
  const { before, since } = idsBetween('dlv', range);
  const read = await run(
    db,
    db
      .select({ id: d.id, status: d.status, isFound: search === undefined ? cast(bool, sql`true`) : contains(search) })
      .from(d)
      .where(
        and(
          eq(d.accountId, accountId),
          before === undefined ? undefined : lt(d.id, before),
          since === undefined ? undefined : gte(d.id, since),
        ),
      )
      .orderBy(desc(d.id))
      .limit(max + 1),
  );
  const found = read.slice(0, max).filter(({ status, isFound }) => isFound && (statuses?.includes(status) ?? true));
  const ids = found.slice(0, limit).map(({ id }) => id);
  const next = found.length > limit ? ids.at(-1) : read.length > max ? read[max - 1]?.id : undefined;
  const rows = await run(db, db.select(deliveryColumns).from(d).where(isAnyIdOf(d.id, ids)).orderBy(desc(d.id)));
  return { deliveries: rows.map(toDeliveryRecord), next };
}

function contains(search: string): SQL<boolean> {
  const { id, documentId, recipients } = deliveries;
  const address = sql`recipient ->> 'address'`;
  return cast(
    bool,
    sql`${containsText(id, search)} or ${containsText(documentId, search)}
      or exists (select from jsonb_array_elements(${recipients}) recipient where ${containsText(address, search)})`,
  );
}
