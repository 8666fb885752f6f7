import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { assets } from '../../db/schema/assets.ts';
import { run } from '../../db/statement.ts';
import { assetNotFound } from './asset-record.ts';

/** Deletes the account's asset and returns the key of its object, which is no longer referenced. */
export async function removeAsset(db: Executor, accountId: string, assetId: string): Promise<string> {
  const [row] = await run(
    db,
    db
      .delete(assets)
      .where(and(eq(assets.id, assetId), eq(assets.accountId, accountId)))
      .returning({ objectKey: assets.objectKey }),
  );
  if (row === undefined) throw assetNotFound();
  return row.objectKey;
}
