import { guardedRedis } from '../../shared/queue/errors.ts';
import { scanKeys } from '../../shared/queue/redis.ts';
import type { Stores } from './stores.ts';

/** Removes the data and the results of documents, which are stored under their ids. */
export async function eraseTransient({ redis, prefix }: Stores, ids: readonly string[]): Promise<void> {
  const wanted = new Set(ids);
  for (const id of ids) await guardedRedis(() => redis.unlink(`${prefix}:data:${id}`));
  for await (const keys of scanKeys(redis, `${prefix}:result:*`))
    for (const key of keys)
      if (wanted.has(key.slice(`${prefix}:result:`.length).split('.')[0] ?? ''))
        await guardedRedis(() => redis.unlink(key));
}

/** Removes the keys that match a pattern. */
export async function unlinkKeys({ redis }: Stores, pattern: string): Promise<void> {
  for await (const keys of scanKeys(redis, pattern))
    for (const key of keys) await guardedRedis(() => redis.unlink(key));
}

/** Empties the event streams of the queues. Nothing reads them, but their error messages may contain personal data. */
export async function emptyEventStreams({ redis, prefix }: Stores): Promise<void> {
  for await (const keys of scanKeys(redis, `{${prefix}-*:events`))
    for (const key of keys) await guardedRedis(() => redis.xtrim(key, 'MAXLEN', 0));
}

/** Finds the documents whose waiting data matches `isWanted`. Holds the data of one document at a time in memory. */
export async function findWaitingData(
  { redis, prefix }: Stores,
  isWanted: (data: Buffer) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const keys of scanKeys(redis, `${prefix}:data:*`)) {
    for (const key of keys) {
      const data = await guardedRedis(() => redis.getBuffer(key));
      if (data !== null && isWanted(data)) found.push(key.slice(`${prefix}:data:`.length));
    }
  }
  return found;
}
