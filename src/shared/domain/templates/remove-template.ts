import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { hasNone, isOneOf, names } from '../../db/column-names.ts';
import { bool, json, rowOf } from '../../db/row.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { indexedStatus } from '../../db/schema/columns.ts';
import { conversionFailures, generations } from '../../db/schema/documents.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { execute, query, run } from '../../db/statement.ts';
import { isBehind, nextCursor, type TimeCursor } from '../../db/time-cursor.ts';
import { type Precondition, preconditionFailed } from '../precondition.ts';
import { type ExpectedState, isChangeable } from './change-template.ts';
import { findTemplate } from './find-template.ts';

const a = aliased(accounts, 'a');
const account = names(accounts);

/**
 * Deletes the account's template and releases its quota. The file is kept until no accepted document needs it. Throws
 * `not_found`, or `precondition_failed` if another client changed the template first.
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

const deletedRow = rowOf({
  id: templates.id,
  at: templates.deletedAt,
  keys: json<readonly string[]>(),
  is_unneeded: bool,
});
const t = aliased(templates, 't');
const v = aliased(templateVersions, 'v');
const g = aliased(generations, 'g');
const f = aliased(conversionFailures, 'f');

export interface PurgeableTemplates {
  readonly templates: readonly { readonly id: string; readonly objectKeys: readonly string[] }[];
  readonly next: TimeCursor | undefined;
}

/**
 * Among the next `limit` deleted templates, finds those that no unfinished document needs, with the keys of their
 * objects.
 */
export async function findPurgeableTemplates(
  db: Executor,
  after: TimeCursor,
  limit: number,
): Promise<PurgeableTemplates> {
  const rows = await query(
    db,
    deletedRow,
    sql`select ${t.id}, ${t.deletedAt} as at, coalesce((select json_agg(key) from (
          select ${v.objectKey} as key from ${templateVersions} ${v} where ${v.templateId} = ${t.id}
          union all
          select ${f.evidenceKey} from ${conversionFailures} ${f}
          where ${f.templateId} = ${t.id} and ${f.evidenceKey} is not null) as objects), '[]') as keys,
        ${hasNone(sql`from ${generations} ${g} where ${g.templateId} = ${t.id}
          and ${indexedStatus(g.status)} in ('queued', 'running')`)}
          and ${hasNone(sql`from ${generations} ${g} where ${g.accountId} = ${t.accountId} and ${g.includes} is not null
            and ${isOneOf(g.status, 'queued', 'running')}
            and ${g.includes} @> jsonb_build_array(jsonb_build_object('templateId', ${t.id}))`)} as is_unneeded
      from ${templates} ${t}
      where ${t.deletedAt} < now() - interval '1 minute' and ${isBehind(t.deletedAt, t.id, after)}
      order by ${t.deletedAt}, ${t.id} limit ${limit}`,
  );
  return {
    templates: rows.flatMap((row) => (row.is_unneeded ? [{ id: row.id, objectKeys: row.keys }] : [])),
    next: nextCursor(rows, limit),
  };
}

/** Deletes the row of a deleted template, and its failure records, once its objects are deleted. */
export async function purgeTemplate(db: Executor, templateId: string): Promise<void> {
  await run(db, db.delete(conversionFailures).where(eq(conversionFailures.templateId, templateId)));
  await run(db, db.delete(templates).where(and(eq(templates.id, templateId), isNotNull(templates.deletedAt))));
}
