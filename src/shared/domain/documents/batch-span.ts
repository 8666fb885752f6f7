import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { batches } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';

/** The range in which a batch's documents lie among those of its template. */
export interface BatchSpan {
  readonly templateId: string;
  /** The lowest id that a document of the batch can have; ids begin with their times. */
  readonly since: string;
  /** The documents were created before this time; undefined if the batch has not ended. */
  readonly to: Date | undefined;
}

/** Upper bound for the clock difference between processes. */
const toleranceMs = 60_000;

/** Undefined if the account has no batch with this id. */
export async function findBatchSpan(db: Executor, accountId: string, batchId: string): Promise<BatchSpan | undefined> {
  const { id, templateId, finishedAt } = batches;
  const isOwn = and(eq(id, batchId), eq(batches.accountId, accountId));
  const [batch] = await run(db, db.select({ templateId, finishedAt }).from(batches).where(isOwn));
  if (batch === undefined) return undefined;
  const to = batch.finishedAt === null ? undefined : new Date(batch.finishedAt.getTime() + toleranceMs);
  // A batch gets its id before its rows do, and the time takes the same number of characters in all ids.
  return { templateId: batch.templateId, since: batchId.replace(/^bat_(.{10}).*$/, 'doc_$1'), to };
}
