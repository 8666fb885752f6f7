import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { newestIds } from '../../db/newest-ids.ts';
import { run } from '../../db/statement.ts';
import type { GenerationRecord, GenerationStatus } from './generation-record.ts';
import { type GenerationRow, selectGenerations, toGenerationRecord } from './generation-row.ts';

export interface GenerationPageInput {
  readonly accountId: string;
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly before?: string | undefined;
  readonly status?: GenerationStatus | undefined;
  readonly templateId?: string | undefined;
}

const allStatuses: readonly GenerationStatus[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled'];

/** A page of the account's documents, newest first, and the id to go on from when there are more. */
export async function listGenerations(
  db: Executor,
  { accountId, limit, before, status, templateId }: GenerationPageInput,
): Promise<{ readonly generations: readonly GenerationRecord[]; readonly next: string | undefined }> {
  const ids = newestIds({
    table: sql`generations`,
    owner: templateId === undefined ? sql`account_id = ${accountId}` : sql`template_id = ${templateId}`,
    statuses: status === undefined ? allStatuses : [status],
    before,
    limit,
  });
  const found = await run<GenerationRow>(db, sql`${selectGenerations} where id = any(array(${ids})) order by id desc`);
  // The template may be another's. In the statement this would draw it to an index of the account.
  const rows = found.filter((row) => row.account_id === accountId);
  const generations = rows.slice(0, limit).map(toGenerationRecord);
  return { generations, next: rows.length > limit ? generations.at(-1)?.id : undefined };
}
