import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { GenerationRecord } from './generation-record.ts';
import { type GenerationRow, selectGenerations, toGenerationRecord } from './generation-row.ts';

/** The document's row, or undefined. The caller has found out whose it is. */
export async function findGeneration(db: Executor, id: string): Promise<GenerationRecord | undefined> {
  const [row] = await run<GenerationRow>(db, sql`${selectGenerations} where id = ${id}`);
  return row === undefined ? undefined : toGenerationRecord(row);
}

/** The account's document; another account's and an unknown one are both `not_found`. */
export async function findOwnGeneration(db: Executor, accountId: string, id: string): Promise<GenerationRecord> {
  const generation = await findGeneration(db, id);
  if (generation?.accountId !== accountId) throw new AppError('not_found', 'There is no job with this id');
  return generation;
}
