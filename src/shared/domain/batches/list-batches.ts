import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { newestIds } from '../../db/newest-ids.ts';
import { run } from '../../db/statement.ts';
import { type BatchRecord, type BatchRow, type BatchStatus, selectBatches, toBatchRecord } from './batch-record.ts';

export interface BatchPageInput {
  readonly accountId: string;
  readonly limit: number;
  /** `running` includes those whose bundle is being made. */
  readonly status?: Exclude<BatchStatus, 'bundling'> | undefined;
  readonly templateId?: string | undefined;
  /** The id that the page before ended with. */
  readonly before?: string | undefined;
}

const allStatuses: readonly BatchStatus[] = ['accepted', 'running', 'bundling', 'completed', 'cancelled', 'failed'];

/** A page of the account's batches, newest first, and the id to go on from when there are more. */
export async function listBatches(
  db: Executor,
  { accountId, limit, before, status, templateId }: BatchPageInput,
): Promise<{ readonly batches: readonly BatchRecord[]; readonly next: string | undefined }> {
  const ids = newestIds({
    table: sql`batches`,
    owner: templateId === undefined ? sql`account_id = ${accountId}` : sql`template_id = ${templateId}`,
    statuses: status === undefined ? allStatuses : withHidden(status),
    before,
    limit,
  });
  const found = await run<BatchRow>(db, sql`${selectBatches} where id = any(array(${ids})) order by id desc`);
  // The template may be another's. In the statement this would draw it to an index of the account.
  const rows = found.filter((row) => row.account_id === accountId);
  const batches = rows.slice(0, limit).map(toBatchRecord);
  return { batches, next: rows.length > limit ? batches.at(-1)?.id : undefined };
}

function withHidden(status: BatchStatus): readonly BatchStatus[] {
  return status === 'running' ? ['running', 'bundling'] : [status];
}
