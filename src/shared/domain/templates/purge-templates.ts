import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { listed } from '../../db/schema/columns.ts';
import { run } from '../../db/statement.ts';

/** Deleted templates that no unfinished document needs, with the keys of their objects. */
export async function findPurgeableTemplates(
  db: Executor,
  limit: number,
): Promise<readonly { readonly templateId: string; readonly objectKeys: readonly string[] }[]> {
  const rows = await run<{ id: string; keys: string[] }>(
    db,
    sql`select t.id, coalesce((select json_agg(v.object_key) from template_versions v where v.template_id = t.id), '[]') as keys
      from templates t
      where t.deleted_at < now() - interval '1 minute' and not exists (
        select 1 from generations g where g.template_id = t.id and ${listed(sql`g.status`)} in ('queued', 'running'))
      order by t.deleted_at limit ${limit}`,
  );
  return rows.map((row) => ({ templateId: row.id, objectKeys: row.keys }));
}

/** Forgets a deleted template once its objects are gone. */
export async function purgeTemplate(db: Executor, templateId: string): Promise<void> {
  await run(db, sql`delete from templates where id = ${templateId} and deleted_at is not null`);
}
