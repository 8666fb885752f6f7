import {
  beginDeletion,
  deleteRows,
  endDeletion,
  findOpenBatchesOf,
  findUnfinishedOfAccount,
  findUnsentOfAccount,
} from '../../shared/domain/accounts/delete-account.ts';
import { cancelBatch, cancelWaiting } from '../../shared/domain/batches/cancel-batch.ts';
import { AppError } from '../../shared/errors.ts';
import { removeUnder, stopAndForget } from './erase-documents.ts';
import { emptyEventStreams, unlinkKeys } from './erase-from-redis.ts';
import { type RedisLog, rewriteRedisLog } from './rewrite-redis-log.ts';
import type { Stores } from './stores.ts';

const folders = ['templates', 'results', 'assets', 'fonts', 'batches', 'quarantine'] as const;
const documentsAtOnce = 50;
const rowsAtOnce = 1_000;
const maxRounds = 5;

export interface AccountDeletion {
  readonly accountId: string;
  readonly objects: number;
  readonly redisLog: RedisLog;
}

/**
 * Deletes an account: refuses its requests, cancels waiting work, ends running work, and removes its files, its data in
 * Redis and its rows. Monthly totals stay. Every step is idempotent, so the same call completes the deletion after a
 * crash. Repeats while an API process that still caches a key adds documents.
 */
export async function deleteAccount(stores: Stores, accountId: string, name: string): Promise<AccountDeletion> {
  await beginDeletion(stores.db, accountId, name);
  // failpoint: account-deletion-begun
  return await completeDeletion(stores, accountId);
}

/** Completes a deletion that has begun. */
export async function completeDeletion(stores: Stores, accountId: string): Promise<AccountDeletion> {
  const { db, objects, queues, prefix } = stores;
  let removed = 0;
  for (let round = 0; round < maxRounds; round++) {
    await endWork(stores, accountId);
    for (const folder of folders) removed += await removeUnder(objects, `${folder}/${accountId}/`);
    // failpoint: account-objects-removed
    await deleteRows(db, accountId);
    await queues.withdrawWebhooks(accountId);
    await unlinkKeys(stores, `*${prefix}*${accountId}*`);
    await emptyEventStreams(stores);
    if (await endDeletion(db, accountId))
      return { accountId, objects: removed, redisLog: await rewriteRedisLog(stores.redis) };
  }
  throw new AppError('unavailable', 'The account is still receiving documents. Run the command again in a minute.');
}

async function endWork(stores: Stores, accountId: string): Promise<void> {
  const { db } = stores;
  for (const id of await findOpenBatchesOf(db, accountId)) {
    await cancelBatch(db, accountId, { id, ttlSeconds: 0 }).catch(ignoreEnded);
    while ((await cancelWaiting(db, id, rowsAtOnce)) === rowsAtOnce);
  }
  for (const find of [findUnfinishedOfAccount, findUnsentOfAccount])
    for (;;) {
      const ids = await find(db, accountId, documentsAtOnce);
      if (ids.length === 0) break;
      await stopAndForget(stores, ids);
    }
}

/** Ignores the conflict with a batch that has ended meanwhile. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'conflict')) throw error;
}
