import { drizzle } from 'drizzle-orm/node-postgres';
import { type Database, type Executor, isPooled, type Transaction } from './client.ts';
import { isDatabaseOutage } from './errors.ts';
import { guarded } from './statement.ts';

/**
 * Runs `work` in a new transaction, or in `db` itself if that is a transaction. A connection that fails or still waits
 * for a response is closed instead of being returned to the pool. Converts an outage of PostgreSQL to the `unavailable`
 * error.
 */
export async function inTransaction<T>(db: Executor, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return isPooled(db) ? guarded(() => inNewTransaction(db, work)) : work(db);
}

async function inNewTransaction<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
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
