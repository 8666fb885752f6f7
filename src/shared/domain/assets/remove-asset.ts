import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { assets } from '../../db/schema/assets.ts';
import { run } from '../../db/statement.ts';
import { meets, type Precondition, preconditionFailed } from '../precondition.ts';
import { findAsset } from './find-assets.ts';

/**
 * Deletes the account's asset and returns the key of its object, which is no longer referenced. The precondition
 * contains checksums. Throws `not_found`, or `precondition_failed` if the content of the asset differs.
 */
export async function removeAsset(
  db: Executor,
  accountId: string,
  assetId: string,
  precondition: Precondition<string> = {},
): Promise<string> {
  const isIn = (checksum: string) => eq(assets.checksum, checksum);
  const [row] = await run(
    db,
    db
      .delete(assets)
      .where(and(eq(assets.id, assetId), eq(assets.accountId, accountId), meets(precondition, isIn)))
      .returning({ objectKey: assets.objectKey }),
  );
  if (row !== undefined) return row.objectKey;
  await findAsset(db, accountId, assetId);
  throw preconditionFailed('asset');
}
