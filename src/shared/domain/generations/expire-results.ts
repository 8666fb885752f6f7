import { and, eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/generations.ts';
import { run } from '../../db/statement.ts';

const d = aliased(deliveries, 'd');
const b = aliased(batches, 'b');

/** Rows of a batch do not expire before the batch does. */
const isExpired = sql`${isOneOf(generations.resultStore, 'object')} and ${generations.expiresAt} < now()
  and not exists (select 1 from ${deliveries} ${d} where ${d.generationId} = ${generations.id}
    and ${isOneOf(d.status, 'pending', 'sending', 'transmitting')})
  and not exists (select 1 from ${batches} ${b} where ${b.id} = ${generations.batchId}
    and (${isOneOf(b.status, 'accepted', 'running', 'bundling')} or ${b.expiresAt} > now()))`;

/** Finished documents whose stored files have expired and whose deliveries have ended. */
export async function findExpiredResults(
  db: Executor,
  limit: number,
): Promise<readonly { readonly id: string; readonly objectKey: string }[]> {
  const { id, resultKey, expiresAt } = generations;
  const rows = await run(
    db,
    db.select({ id, resultKey }).from(generations).where(isExpired).orderBy(expiresAt).limit(limit),
  );
  return rows.flatMap((row) => (row.resultKey === null ? [] : [{ id: row.id, objectKey: row.resultKey }]));
}

/** Clears the file's location and the e-mail, after the object is deleted. */
export async function markResultExpired(db: Executor, id: string): Promise<void> {
  await run(
    db,
    db
      .update(generations)
      .set({ resultStore: null, resultKey: null, email: null })
      .where(and(eq(generations.id, id), isExpired)),
  );
}
