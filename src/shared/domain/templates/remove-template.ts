import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { names } from '../../db/column-names.ts';
import { json, rowOf } from '../../db/row.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { indexedStatus } from '../../db/schema/columns.ts';
import { generations } from '../../db/schema/generations.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { execute, query, run } from '../../db/statement.ts';
import { type Precondition, preconditionFailed } from '../precondition.ts';
import { type ExpectedState, isChangeable } from './change-template.ts';
import { findTemplate } from './find-template.ts';

const a = aliased(accounts, 'a');
const account = names(accounts);

/**
 * Deletes the account's template and releases its quota. The file is kept until no accepted document needs it. Throws
 * `not_found`, and `precondition_failed` if another client changed the template first.
 */
export async function removeTemplate(
  db: Executor,
  accountId: string,
  templateId: string,
  precondition: Precondition<ExpectedState> = {},
): Promise<void> {
  const removed = await execute(
    db,
    sql`with removed as (
        update ${templates} set ${names(templates).deletedAt} = now()
        where ${isChangeable({ accountId, templateId, precondition })} returning ${templates.accountId} as account_id
      )
      update ${accounts} ${a} set ${account.templateCount} = ${a.templateCount} - 1
      from removed where ${a.id} = removed.account_id`,
  );
  if (removed > 0) return;
  await findTemplate(db, accountId, templateId);
  throw preconditionFailed('template');
}

const purgeableRow = rowOf({ id: templates.id, keys: json<readonly string[]>() });
const t = aliased(templates, 't');
const v = aliased(templateVersions, 'v');
const g = aliased(generations, 'g');

/** Deleted templates that no unfinished document needs, with the keys of their objects. */
export async function findPurgeableTemplates(
  db: Executor,
  limit: number,
): Promise<readonly { readonly templateId: string; readonly objectKeys: readonly string[] }[]> {
  const rows = await query(
    db,
    purgeableRow,
    sql`select ${t.id}, coalesce((select json_agg(${v.objectKey}) from ${templateVersions} ${v}
        where ${v.templateId} = ${t.id}), '[]') as keys
      from ${templates} ${t}
      where ${t.deletedAt} < now() - interval '1 minute' and not exists (
        select 1 from ${generations} ${g} where ${g.templateId} = ${t.id} and ${indexedStatus(g.status)} in ('queued', 'running'))
      order by ${t.deletedAt} limit ${limit}`,
  );
  return rows.map((row) => ({ templateId: row.id, objectKeys: row.keys }));
}

/** Deletes the row of a deleted template once its objects are gone. */
export async function purgeTemplate(db: Executor, templateId: string): Promise<void> {
  await run(db, db.delete(templates).where(and(eq(templates.id, templateId), isNotNull(templates.deletedAt))));
}
