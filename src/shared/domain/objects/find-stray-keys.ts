import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/**
 * Of these object keys, those that no template version and no finished or unfinished document points at. The third part
 * of a result's key is the id of its document.
 */
export async function findStrayKeys(db: Executor, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await run<{ key: string }>(
    db,
    sql`select key from unnest(${sql.param([...keys])}::text[]) as key
      where not exists (select 1 from template_versions v where v.object_key = key)
        and not exists (select 1 from generations g where g.id = split_part(key, '/', 3)
          and (g.status in ('queued', 'running') or (g.result_store = 'object' and g.result_key = key)))`,
  );
  return rows.map((row) => row.key);
}
