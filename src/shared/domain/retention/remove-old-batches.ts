import { and, eq, gt, isNull, lt, notExists, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { execute, run, timeValue } from '../../db/statement.ts';
import { lowestId } from '../../ids.ts';

const r = aliased(batchRows, 'r');
const { id, status, finishedAt, expiresAt } = batches;

/** Selects batches that have ended, whose files and input are removed, and that have been kept long enough. */
const isOld = (cutoff: Date) =>
  and(isOneOf(status, 'completed', 'cancelled', 'failed'), isNull(expiresAt), lt(finishedAt, timeValue(cutoff)));

/** The next `limit` batches accepted before the cutoff, and which of them to remove. */
export async function findOldBatches(
  db: Executor,
  after: string,
  { cutoff, limit }: { readonly cutoff: Date; readonly limit: number },
): Promise<{ readonly ids: readonly string[]; readonly next: string | undefined }> {
  const page = await run(
    db,
    db
      .select({ id, isOld: sql<boolean>`coalesce(${isOld(cutoff)}, false)` })
      .from(batches)
      .where(and(gt(id, after), lt(id, lowestId('bat', cutoff.getTime()))))
      .orderBy(id)
      .limit(limit),
  );
  return {
    ids: page.flatMap((row) => (row.isOld ? [row.id] : [])),
    next: page.length < limit ? undefined : page.at(-1)?.id,
  };
}

/** Deletes up to `limit` rows of an old batch, and the batch itself with its last rows. True once it is gone. */
export async function removeOldBatch(
  db: Executor,
  batchId: string,
  { cutoff, limit }: { readonly cutoff: Date; readonly limit: number },
): Promise<boolean> {
  const isThis = and(eq(id, batchId), isOld(cutoff));
  const removed = await execute(
    db,
    sql`delete from ${batchRows} where ${batchRows.batchId} = ${batchId} and ${batchRows.row} = any(array(
      select ${r.row} from ${batchRows} ${r} where ${r.batchId} = ${batchId} and exists (select 1 from ${batches} where ${isThis})
      order by ${r.row} limit ${limit}))`,
  );
  if (removed === limit) return false;
  const rows = db.select({ one: sql`1` }).from(batchRows).where(eq(batchRows.batchId, batchId));
  await run(db, db.delete(batches).where(and(isThis, notExists(rows))));
  return true;
}
