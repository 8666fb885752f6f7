import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyOf } from '../../db/column-names.ts';
import { assets } from '../../db/schema/assets.ts';
import { run } from '../../db/statement.ts';
import { type AssetRecord, assetColumns, assetNotFound } from './asset-record.ts';

/** The account's asset. Throws `not_found` if it does not exist or belongs to another account. */
export async function findAsset(db: Executor, accountId: string, assetId: string): Promise<AssetRecord> {
  const [asset] = await selectAssets(db, and(eq(assets.id, assetId), eq(assets.accountId, accountId)));
  if (asset === undefined) throw assetNotFound();
  return asset;
}

/** The account's assets with one of these ids or names. */
export async function findAssets(
  db: Executor,
  accountId: string,
  idsAndNames: readonly string[],
): Promise<readonly AssetRecord[]> {
  const storable = idsAndNames.filter((text) => text.isWellFormed() && !text.includes('\0'));
  const isRequested = or(isAnyOf(assets.id, storable), isAnyOf(assets.name, storable));
  return selectAssets(db, and(eq(assets.accountId, accountId), isRequested));
}

export interface AssetPageInput {
  readonly accountId: string;
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  /** Part of the name, ignoring case. */
  readonly name?: string | undefined;
}

/** A page of assets, newest first; `next` is the last id when there are more. */
export async function listAssets(
  db: Executor,
  { accountId, limit, before, name }: AssetPageInput,
): Promise<{ readonly assets: readonly AssetRecord[]; readonly next: string | undefined }> {
  const rows = await run(
    db,
    db
      .select(assetColumns)
      .from(assets)
      .where(
        and(
          eq(assets.accountId, accountId),
          before === undefined ? undefined : lt(assets.id, before),
          name === undefined ? undefined : sql`strpos(lower(${assets.name}), lower(${name})) > 0`,
        ),
      )
      .orderBy(sql`${desc(assets.id)} nulls last`)
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  return { assets: page, next: rows.length > limit ? page.at(-1)?.id : undefined };
}

function selectAssets(db: Executor, condition: SQL | undefined): Promise<AssetRecord[]> {
  return run(db, db.select(assetColumns).from(assets).where(condition));
}
