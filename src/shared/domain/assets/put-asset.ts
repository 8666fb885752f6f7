import { and, count, eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { excluded } from '../../db/column-names.ts';
import { assets } from '../../db/schema/assets.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { type ChangeBy, lockForChange } from '../accounts/lock-for-change.ts';
import { type IdempotencyClaim, onceWithResult } from '../idempotency-keys.ts';
import { type AssetContent, type AssetRecord, assetColumns } from './asset-record.ts';

export interface PutAssetInput extends AssetContent, ChangeBy {
  /** The id of a new asset; an existing one with this name keeps its own. */
  readonly id: string;
  readonly name: string;
  /** Maximum number of assets of the account. */
  readonly maxAssets: number;
}

export interface PutAsset {
  readonly asset: AssetRecord;
  readonly isNew: boolean;
  /** True if the request repeats an earlier one: nothing was written, and the uploaded object is unused. */
  readonly isReplay: boolean;
  /** The key of the replaced object, which is no longer referenced. */
  readonly replacedKey: string | undefined;
}

type Written = Omit<PutAsset, 'isReplay'>;

/**
 * Stores a picture under its name, replacing an earlier one of that name. Locks the account's row, so that concurrent
 * calls cannot exceed the limit. Throws `quota_exceeded`, and `conflict` for an idempotency key used with another
 * request.
 */
export async function putAsset(
  db: Database,
  input: PutAssetInput,
  key: Omit<IdempotencyClaim, 'resourceId'> | undefined,
): Promise<PutAsset> {
  const { result, isReplay } = await onceWithResult(db, input.accountId, key, (tx) => write(tx, input));
  const { asset, isNew, replacedKey } = result;
  // A replay returns times as strings.
  const times = { createdAt: new Date(asset.createdAt), updatedAt: new Date(asset.updatedAt) };
  return { asset: { ...asset, ...times }, isNew, isReplay, replacedKey: isReplay ? undefined : replacedKey };
}

async function write(tx: Transaction, input: PutAssetInput): Promise<Written> {
  const { id, accountId, name, type, objectKey, sizeBytes, checksum, widthPx, heightPx } = input;
  await lockForChange(tx, input);
  const [existing] = await run(
    tx,
    tx
      .select({ objectKey: assets.objectKey })
      .from(assets)
      .where(and(eq(assets.accountId, accountId), eq(assets.name, name))),
  );
  if (existing === undefined) await requireBelowLimit(tx, input);
  const content = { type, objectKey, sizeBytes, checksum, widthPx, heightPx };
  const now = sql`now()`;
  const [asset] = await run(
    tx,
    tx
      .insert(assets)
      .values({ id, accountId, name, ...content, createdAt: now, updatedAt: now })
      .onConflictDoUpdate({
        target: [assets.accountId, assets.name],
        set: {
          type: excluded(assets.type),
          objectKey: excluded(assets.objectKey),
          sizeBytes: excluded(assets.sizeBytes),
          checksum: excluded(assets.checksum),
          widthPx: excluded(assets.widthPx),
          heightPx: excluded(assets.heightPx),
          updatedAt: excluded(assets.updatedAt),
        },
      })
      .returning(assetColumns),
  );
  if (asset === undefined) throw new Error('the upsert of an asset returned no row');
  return { asset, isNew: asset.id === id, replacedKey: existing?.objectKey };
}

async function requireBelowLimit(tx: Transaction, { accountId, maxAssets }: PutAssetInput): Promise<void> {
  const [row] = await run(tx, tx.select({ count: count() }).from(assets).where(eq(assets.accountId, accountId)));
  if ((row?.count ?? 0) < maxAssets) return;
  throw new AppError('quota_exceeded', `The account has ${maxAssets} assets, which is the limit. Delete one first.`);
}
