import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { batches } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';

/** Where the documents of a batch are among those of its template. */
export interface BatchSpan {
  readonly templateId: string;
  /** The lowest id that one of them can have: ids begin with their times. */
  readonly since: string;
  /** They were created before this time; undefined for a batch that has not ended. */
  readonly to: Date | undefined;
}

/** Clocks of processes differ by less. */
const toleranceMs = 60_000;

/** Undefined when the account has no such batch. */
export async function findBatchSpan(db: Executor, accountId: string, batchId: string): Promise<BatchSpan | undefined> {
  const { id, templateId, finishedAt } = batches;
  const isOwn = and(eq(id, batchId), eq(batches.accountId, accountId));
  const [batch] = await run(db, db.select({ templateId, finishedAt }).from(batches).where(isOwn));
  if (batch === undefined) return undefined;
  const to = batch.finishedAt === null ? undefined : new Date(batch.finishedAt.getTime() + toleranceMs);
  // The id of a batch is made before those of its rows, and has the same length of time.
  return { templateId: batch.templateId, since: batchId.replace(/^bat_(.{10}).*$/, 'doc_$1'), to };
}
