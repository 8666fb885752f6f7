import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { type AssetRecord, type AssetRow, assetColumns, toAssetRecord } from './asset-record.ts';

export const assetNotFound = (): AppError => new AppError('not_found', 'There is no asset with this id');

/** The account's asset; another account's and an unknown one are both `not_found`. */
export async function findAsset(db: Executor, accountId: string, assetId: string): Promise<AssetRecord> {
  const [row] = await run<AssetRow>(
    db,
    sql`select ${assetColumns} from assets where id = ${assetId} and account_id = ${accountId}`,
  );
  if (row === undefined) throw assetNotFound();
  return toAssetRecord(row);
}

/** The account's assets among these ids and names. */
export async function findAssets(
  db: Executor,
  accountId: string,
  idsAndNames: readonly string[],
): Promise<readonly AssetRecord[]> {
  const wanted = idsAndNames.filter((text) => text.isWellFormed() && !text.includes('\0'));
  const rows = await run<AssetRow>(
    db,
    sql`select ${assetColumns} from assets where account_id = ${accountId}
      and (id = any(${sql.param(wanted)}::text[]) or name = any(${sql.param(wanted)}::text[]))`,
  );
  return rows.map(toAssetRecord);
}
