import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { selectTemplates, type TemplateRecord, type TemplateRow, toTemplateRecord } from './template-record.ts';

export const templateNotFound = (): AppError => new AppError('not_found', 'There is no template with this id');

/** The error for a template of which a version was asked for: the template or that version is not there. */
export async function missingTemplateError(
  db: Executor,
  accountId: string,
  templateId: string,
  version: number | undefined,
): Promise<AppError> {
  if (version === undefined) return templateNotFound();
  const rows = await run(
    db,
    sql`select 1 from templates where id = ${templateId} and account_id = ${accountId} and deleted_at is null`,
  );
  if (rows.length === 0) return templateNotFound();
  return new AppError('not_found', `The template has no version ${version}`);
}

/** The account's template; another account's, a deleted and an unknown one are all `not_found`. */
export async function findTemplate(db: Executor, accountId: string, templateId: string): Promise<TemplateRecord> {
  const [row] = await run<TemplateRow>(
    db,
    sql`${selectTemplates} where t.id = ${templateId} and t.account_id = ${accountId} and t.deleted_at is null`,
  );
  if (row === undefined) throw templateNotFound();
  return toTemplateRecord(row);
}
