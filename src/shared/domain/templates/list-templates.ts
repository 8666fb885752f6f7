import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { selectTemplates, type TemplateRecord, type TemplateRow, toTemplateRecord } from './template-record.ts';

export interface TemplatePageInput {
  readonly accountId: string;
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly before?: string | undefined;
  /** Part of the name, in any case. */
  readonly name?: string | undefined;
}

/** A page of templates, newest first, and the id to go on from when there are more. */
export async function listTemplates(
  db: Executor,
  input: TemplatePageInput,
): Promise<{ readonly templates: readonly TemplateRecord[]; readonly next: string | undefined }> {
  const rows = await run<TemplateRow>(
    db,
    sql`${selectTemplates}
      where t.account_id = ${input.accountId} and t.deleted_at is null
        ${input.before === undefined ? sql`` : sql`and t.id < ${input.before}`}
        ${input.name === undefined ? sql`` : sql`and strpos(lower(t.name), lower(${input.name})) > 0`}
      order by t.id desc nulls last limit ${input.limit + 1}`,
  );
  const page = rows.slice(0, input.limit).map(toTemplateRecord);
  return { templates: page, next: rows.length > input.limit ? page.at(-1)?.id : undefined };
}
