import { asc, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList, isAnyOf } from '../../db/column-names.ts';
import { pendingErasures } from '../../db/schema/operations.ts';
import { execute, run } from '../../db/statement.ts';

const { documentId } = pendingErasures;

/** Records, in one statement, that these documents are being erased, until `endErasure`. */
export async function beginErasure(db: Executor, ids: readonly string[]): Promise<void> {
  await execute(
    db,
    sql`insert into ${pendingErasures} ${columnList(documentId)} select unnest(${sql.param(ids)}::text[])
      on conflict ${columnList(documentId)} do nothing`,
  );
}

/** Documents whose erasure has begun but is not complete. */
export async function findPendingErasures(db: Executor, limit: number): Promise<readonly string[]> {
  const rows = await run(db, db.select({ documentId }).from(pendingErasures).orderBy(asc(documentId)).limit(limit));
  return rows.map((row) => row.documentId);
}

export async function endErasure(db: Executor, ids: readonly string[]): Promise<void> {
  await run(db, db.delete(pendingErasures).where(isAnyOf(documentId, ids)));
}
