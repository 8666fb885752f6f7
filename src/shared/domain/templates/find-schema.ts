import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface TemplateSchema {
  /** JSON Schema (2020-12) of the data the template wants. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Data that fits the schema and fills the template. */
  readonly example: unknown;
}

/** What a version of the account's template wants; the current version when none is named. */
export async function findSchema(
  db: Executor,
  input: { readonly accountId: string; readonly templateId: string; readonly version?: number | undefined },
): Promise<TemplateSchema> {
  const [row] = await run<{ schema: Readonly<Record<string, unknown>> | null; example: unknown }>(
    db,
    sql`select v.schema, v.example from template_versions v join templates t on t.id = v.template_id
      where t.id = ${input.templateId} and t.account_id = ${input.accountId} and t.deleted_at is null
        and v.version = coalesce(${input.version ?? null}::int, t.version)`,
  );
  if (row === undefined) throw new AppError('not_found', 'There is no template with this id and version');
  if (row.schema === null) {
    throw new AppError('not_found', 'This version was uploaded before schemas were kept. Upload it again to get one.');
  }
  return { schema: row.schema, example: row.example };
}
