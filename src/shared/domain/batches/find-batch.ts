import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { type BatchRecord, type BatchRow, selectBatches, toBatchRecord } from './batch-record.ts';

export const batchNotFound = (): AppError => new AppError('not_found', 'There is no batch with this id');

/** The account's batch; another account's and an unknown one are both `not_found`. */
export async function findBatch(db: Executor, accountId: string, id: string): Promise<BatchRecord> {
  const [batch] = await findBatches(db, [id]);
  if (batch?.accountId !== accountId) throw batchNotFound();
  return batch;
}

/** These batches, as far as they exist, in no order. The caller has found out whose they are. */
export async function findBatches(db: Executor, ids: readonly string[]): Promise<readonly BatchRecord[]> {
  const rows = await run<BatchRow>(db, sql`${selectBatches} where id = any(${sql.param(ids)}::text[])`);
  return rows.map(toBatchRecord);
}
