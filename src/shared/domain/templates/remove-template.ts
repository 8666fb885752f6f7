import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { templateNotFound } from './find-template.ts';

/** Takes the template from its account and gives its place back. The bytes stay until no accepted document needs them. */
export async function removeTemplate(db: Executor, accountId: string, templateId: string): Promise<void> {
  const rows = await run(
    db,
    sql`with gone as (
        update templates set deleted_at = now()
        where id = ${templateId} and account_id = ${accountId} and deleted_at is null returning account_id
      )
      update accounts a set template_count = a.template_count - 1 from gone where a.id = gone.account_id returning a.id`,
  );
  if (rows.length === 0) throw templateNotFound();
}
