import { sql } from 'drizzle-orm';
import { aliased } from '../db/aliased.ts';
import type { Executor } from '../db/client.ts';
import { isOneOf, texts } from '../db/column-names.ts';
import { rowOf, text } from '../db/row.ts';
import { assets } from '../db/schema/assets.ts';
import { batches } from '../db/schema/batches.ts';
import { conversionFailures, generations } from '../db/schema/documents.ts';
import { fonts } from '../db/schema/fonts.ts';
import { templateVersions } from '../db/schema/templates.ts';
import { query } from '../db/statement.ts';

export interface ListedObject {
  readonly key: string;
  /** According to the store's clock. */
  readonly modifiedAt: Date;
}

const keyRow = rowOf({ key: text });
const v = aliased(templateVersions, 'v');
const a = aliased(assets, 'a');
const n = aliased(fonts, 'n');
const g = aliased(generations, 'g');
const f = aliased(conversionFailures, 'f');
const b = aliased(batches, 'b');

/** The folders of the bucket with objects that belong to a row. */
export const objectFolders = ['templates/', 'results/', 'assets/', 'fonts/', 'batches/', 'quarantine/'] as const;

/**
 * The keys of the given objects that are older than `minAgeSeconds` and that no template version, asset, font,
 * document, batch or conversion failure refers to. The third part of a key is the id of its document or batch.
 * The files of an e-mail have the key of their document as prefix.
 */
export async function findOrphanedKeys(
  db: Executor,
  objects: readonly ListedObject[],
  minAgeSeconds: number,
): Promise<readonly string[]> {
  const keys = objects.map((object) => object.key);
  const times = objects.map((object) => object.modifiedAt.toISOString());
  const rows = await query(
    db,
    keyRow,
    sql`select key from unnest(${texts(keys)}, ${sql.param(times)}::timestamptz[]) as listed (key, modified_at)
      where modified_at < now() - make_interval(secs => ${minAgeSeconds})
        and not exists (select 1 from ${templateVersions} ${v} where ${v.objectKey} = key)
        and not exists (select 1 from ${assets} ${a} where ${a.objectKey} = key)
        and not exists (select 1 from ${fonts} ${n} where ${n.objectKey} = key)
        and not exists (select 1 from ${conversionFailures} ${f} where ${f.evidenceKey} = key)
        and not exists (select 1 from ${generations} ${g} where ${g.id} = split_part(key, '/', 3)
          and (${isOneOf(g.status, 'queued', 'running')}
            or (${isOneOf(g.resultStore, 'object')} and starts_with(key, ${g.resultKey}))))
        and not exists (select 1 from ${batches} ${b} where ${b.id} = split_part(key, '/', 3)
          and (key in (${b.inputKey}, ${b.inputKey} || '-private')
            or (${isOneOf(b.status, 'bundling')} and split_part(key, '/', 4) = ${b.bundleToken})
            or ${b.files} @> jsonb_build_array(jsonb_build_object('objectKey', key))))`,
  );
  return rows.map((row) => row.key);
}
