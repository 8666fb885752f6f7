import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { assetNotFound } from './find-asset.ts';

/** Takes the asset from its account, and answers the key of the object that nothing points at any more. */
export async function removeAsset(db: Executor, accountId: string, assetId: string): Promise<string> {
  const [row] = await run<{ object_key: string }>(
    db,
    sql`delete from assets where id = ${assetId} and account_id = ${accountId} returning object_key`,
  );
  if (row === undefined) throw assetNotFound();
  return row.object_key;
}
