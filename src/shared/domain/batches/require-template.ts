import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { templateNotFound } from '../templates/find-template.ts';

/** A template that is removed while the rows are written must not take their content along. */
export async function requireTemplate(
  tx: Transaction,
  of: { readonly accountId: string; readonly templateId: string },
): Promise<void> {
  const rows = await run(
    tx,
    sql`select 1 from templates where id = ${of.templateId} and account_id = ${of.accountId} and deleted_at is null
      for share`,
  );
  if (rows.length === 0) throw templateNotFound();
}
