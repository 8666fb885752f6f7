import { and, eq, lt, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { batches } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';
import { isBehind, nextCursor, type TimeCursor } from '../../db/time-cursor.ts';

const { id, inputKey, files, expiresAt } = batches;
const isExpired = and(lt(expiresAt, sql`now()`), isOneOf(batches.status, 'completed', 'cancelled', 'failed'));

export interface ExpiredBatch {
  readonly id: string;
  /** Its files, its input, and the private data of its rows. */
  readonly objectKeys: readonly string[];
}

/** The next expired batches whose objects still exist, earliest expiry first. */
export async function findExpiredBatches(
  db: Executor,
  after: TimeCursor,
  limit: number,
): Promise<{ readonly expired: readonly ExpiredBatch[]; readonly next: TimeCursor | undefined }> {
  const rows = await run(
    db,
    db
      .select({ id, at: expiresAt, inputKey, files })
      .from(batches)
      .where(and(isExpired, isBehind(expiresAt, id, after)))
      .orderBy(expiresAt, id)
      .limit(limit),
  );
  const expired = rows.map((row) => ({
    id: row.id,
    objectKeys: [row.inputKey, `${row.inputKey}-private`, ...(row.files ?? []).map(({ objectKey }) => objectKey)],
  }));
  return { expired, next: nextCursor(rows, limit) };
}

/**
 * Clears the file locations after the objects are deleted. A finished batch without `expires_at` has no objects left.
 */
export async function markBatchExpired(db: Executor, batchId: string): Promise<void> {
  await run(
    db,
    db
      .update(batches)
      .set({ files: null, expiresAt: null })
      .where(and(eq(id, batchId), isExpired)),
  );
}
