import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { type AssetRecord, type AssetRow, assetColumns, toAssetRecord } from './asset-record.ts';

export interface AssetPageInput {
  readonly accountId: string;
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly before?: string | undefined;
  /** Part of the name, in any case. */
  readonly name?: string | undefined;
}

/** A page of assets, newest first, and the id to go on from when there are more. */
export async function listAssets(
  db: Executor,
  input: AssetPageInput,
): Promise<{ readonly assets: readonly AssetRecord[]; readonly next: string | undefined }> {
  const rows = await run<AssetRow>(
    db,
    sql`select ${assetColumns} from assets where account_id = ${input.accountId}
        ${input.before === undefined ? sql`` : sql`and id < ${input.before}`}
        ${input.name === undefined ? sql`` : sql`and strpos(lower(name), lower(${input.name})) > 0`}
      order by id desc nulls last limit ${input.limit + 1}`,
  );
  const page = rows.slice(0, input.limit).map(toAssetRecord);
  return { assets: page, next: rows.length > input.limit ? page.at(-1)?.id : undefined };
}
