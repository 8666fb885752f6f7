import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Executor, Transaction } from './client.ts';
import { isDatabaseOutage } from './errors.ts';

/**
 * Runs `work` in one transaction: its own, or the one that `db` is in already. A connection that fails, or that has an
 * answer outstanding, is closed and never goes back to the pool.
 */
export async function inTransaction<T>(db: Executor, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (!isPooled(db)) return work(db);
  const client = await db.$client.connect();
  let isUsable = true;
  const onError = (): void => {
    isUsable = false;
  };
  client.on('error', onError);
  try {
    await client.query('begin');
    const result = await work(drizzle(client));
    await client.query('commit');
    return result;
  } catch (error) {
    if (isDatabaseOutage(error)) isUsable = false;
    if (isUsable) await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.release(!isUsable);
    client.off('error', onError);
  }
}

/** Is it the pool itself, and no transaction? */
export function isPooled(db: Executor): db is Exclude<Executor, Transaction> {
  return db.$client instanceof pg.Pool;
}
