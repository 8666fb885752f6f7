import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import type { BatchFile } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';

const isOver = sql`expires_at < now() and status in ('completed', 'cancelled', 'failed')`;

export interface ExpiredBatch {
  readonly id: string;
  /** Its files, its input, and what it kept of its rows beside it. */
  readonly objectKeys: readonly string[];
}

/** Batches past their time whose objects are still there, longest past first. */
export async function findExpiredBatches(db: Executor, limit: number): Promise<readonly ExpiredBatch[]> {
  const rows = await run<{ id: string; input_key: string; files: readonly BatchFile[] | null }>(
    db,
    sql`select id, input_key, files from batches where ${isOver} order by expires_at limit ${limit}`,
  );
  return rows.map(({ id, input_key, files }) => ({
    id,
    objectKeys: [input_key, `${input_key}-private`, ...(files ?? []).map(({ objectKey }) => objectKey)],
  }));
}

/** Forgets where the files were, once the objects are gone. An ended batch without `expires_at` has nothing left. */
export async function markBatchExpired(db: Executor, id: string): Promise<void> {
  await run(db, sql`update batches set files = null, expires_at = null where id = ${id} and ${isOver}`);
}
