import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
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

/** A page of the account's documents, newest first, and the id to go on from when there are more. */
export async function listGenerations(
  db: Executor,
  input: GenerationPageInput,
): Promise<{ readonly generations: readonly GenerationRecord[]; readonly next: string | undefined }> {
  const rows = await run<GenerationRow>(
    db,
    sql`${selectGenerations} where account_id = ${input.accountId}
        ${input.before === undefined ? sql`` : sql`and id < ${input.before}`}
        ${input.status === undefined ? sql`` : sql`and status = ${input.status}`}
        ${input.templateId === undefined ? sql`` : sql`and template_id = ${input.templateId}`}
      order by id desc nulls last limit ${input.limit + 1}`,
  );
  const generations = rows.slice(0, input.limit).map(toGenerationRecord);
  return { generations, next: rows.length > input.limit ? generations.at(-1)?.id : undefined };
}
