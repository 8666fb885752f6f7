import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { guarded, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { claimIdempotencyKey, type IdempotencyClaim, rememberResponse } from '../idempotency/claim-key.ts';
import { type AssetContent, type AssetRecord, type AssetRow, assetColumns, toAssetRecord } from './asset-record.ts';

export interface PutAssetInput extends AssetContent {
  /** Of the asset when it is new; one that has the name already keeps its own. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** How many assets the account may have. */
  readonly maxAssets: number;
}

export interface PutAsset {
  readonly asset: AssetRecord;
  readonly isNew: boolean;
  /** A repetition of an earlier request: nothing was written, and the given object is not used. */
  readonly isReplay: boolean;
  /** The key of the object that it took the place of, which nothing points at any more. */
  readonly replacedKey: string | undefined;
}

/**
 * Keeps a picture under its name, in the place of the one that had the name before. At the limit exactly one of many new
 * ones wins: they line up on the account. Throws `quota_exceeded`, and `conflict` for a key used with another request.
 */
export async function putAsset(
  db: Database,
  input: PutAssetInput,
  key: Omit<IdempotencyClaim, 'resourceId'> | undefined,
): Promise<PutAsset> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      if (key === undefined) return write(tx, input);
      const holder = await claimIdempotencyKey(tx, input.accountId, { ...key, resourceId: input.id });
      if (holder.resourceId !== input.id) return revive(holder.response);
      const put = await write(tx, input);
      await rememberResponse(tx, input.accountId, key.key, { asset: put.asset, isNew: put.isNew });
      return put;
    }),
  );
}

async function write(tx: Transaction, input: PutAssetInput): Promise<PutAsset> {
  await run(tx, sql`select id from accounts where id = ${input.accountId} for no key update`);
  const [before] = await run<{ object_key: string }>(
    tx,
    sql`select object_key from assets where account_id = ${input.accountId} and name = ${input.name}`,
  );
  if (before === undefined) await requirePlace(tx, input);
  const [row] = await run<AssetRow>(
    tx,
    sql`insert into assets (id, account_id, name, type, object_key, size_bytes, checksum, width_px, height_px, created_at,
        updated_at)
      values (${input.id}, ${input.accountId}, ${input.name}, ${input.type}, ${input.objectKey}, ${input.sizeBytes},
        ${input.checksum}, ${input.widthPx}, ${input.heightPx}, now(), now())
      on conflict (account_id, name) do update set type = excluded.type, object_key = excluded.object_key,
        size_bytes = excluded.size_bytes, checksum = excluded.checksum, width_px = excluded.width_px,
        height_px = excluded.height_px, updated_at = excluded.updated_at
      returning ${assetColumns}`,
  );
  if (row === undefined) throw new Error('an asset was neither made nor changed');
  const asset = toAssetRecord(row);
  return { asset, isNew: asset.id === input.id, isReplay: false, replacedKey: before?.object_key };
}

async function requirePlace(tx: Transaction, { accountId, maxAssets }: PutAssetInput): Promise<void> {
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*)::int as count from assets where account_id = ${accountId}`,
  );
  if ((row?.count ?? 0) < maxAssets) return;
  throw new AppError('quota_exceeded', `The account keeps ${maxAssets} assets, which is the limit. Delete one first.`);
}

function revive(response: unknown): PutAsset {
  const { asset, isNew } = response as {
    readonly asset: AssetRecord & { readonly createdAt: string; readonly updatedAt: string };
    readonly isNew: boolean;
  };
  const times = { createdAt: new Date(asset.createdAt), updatedAt: new Date(asset.updatedAt) };
  return { asset: { ...asset, ...times }, isNew, isReplay: true, replacedKey: undefined };
}
