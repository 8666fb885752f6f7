import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

export interface ListedObject {
  readonly key: string;
  /** By the clock of the store. */
  readonly modifiedAt: Date;
}

/**
 * Of these objects, the keys of those older than `minAgeSeconds` that no template version, no asset, no finished or
 * unfinished document and no batch points at. The third part of a key is the id of its document or batch.
 */
export async function findOrphanedKeys(
  db: Executor,
  objects: readonly ListedObject[],
  minAgeSeconds: number,
): Promise<readonly string[]> {
  const keys = objects.map((object) => object.key);
  const times = objects.map((object) => object.modifiedAt.toISOString());
  const rows = await run<{ key: string }>(
    db,
    sql`select key from unnest(${sql.param(keys)}::text[], ${sql.param(times)}::timestamptz[]) as seen (key, modified_at)
      where modified_at < now() - make_interval(secs => ${minAgeSeconds})
        and not exists (select 1 from template_versions v where v.object_key = key)
        and not exists (select 1 from assets a where a.object_key = key)
        and not exists (select 1 from generations g where g.id = split_part(key, '/', 3)
          and (g.status in ('queued', 'running') or (g.result_store = 'object' and g.result_key = key)))
        and not exists (select 1 from batches b where b.id = split_part(key, '/', 3) and (key in (b.input_key, b.input_key || '-private')
          or (b.status = 'bundling' and split_part(key, '/', 4) = b.bundle_token)
          or b.files @> jsonb_build_array(jsonb_build_object('objectKey', key))))`,
  );
  return rows.map((row) => row.key);
}
