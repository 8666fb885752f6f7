import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
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

/** A page of the account's batches, newest first, and the id to go on from when there are more. */
export async function listBatches(
  db: Executor,
  { accountId, limit, before, status, templateId }: BatchPageInput,
): Promise<{ readonly batches: readonly BatchRecord[]; readonly next: string | undefined }> {
  const rows = await run<BatchRow>(
    db,
    sql`${selectBatches} where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
        ${status === undefined ? sql`` : sql`and status = any(${sql.param(statuses(status))}::text[])`}
        ${templateId === undefined ? sql`` : sql`and template_id = ${templateId}`}
      order by id desc nulls last limit ${limit + 1}`,
  );
  const batches = rows.slice(0, limit).map(toBatchRecord);
  return { batches, next: rows.length > limit ? batches.at(-1)?.id : undefined };
}

function statuses(status: BatchStatus): readonly BatchStatus[] {
  return status === 'running' ? ['running', 'bundling'] : [status];
}
