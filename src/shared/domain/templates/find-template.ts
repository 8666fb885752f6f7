import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { selectTemplates, type TemplateRecord, type TemplateRow, toTemplateRecord } from './template-record.ts';

export const templateNotFound = (): AppError => new AppError('not_found', 'There is no template with this id');

/** The account's template; another account's, a deleted and an unknown one are all `not_found`. */
export async function findTemplate(db: Executor, accountId: string, templateId: string): Promise<TemplateRecord> {
  const [row] = await run<TemplateRow>(
    db,
    sql`${selectTemplates} where t.id = ${templateId} and t.account_id = ${accountId} and t.deleted_at is null`,
  );
  if (row === undefined) throw templateNotFound();
  return toTemplateRecord(row);
}
