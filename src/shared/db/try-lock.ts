import { sql } from 'drizzle-orm';
import type { Transaction } from './client.ts';
import { run } from './statement.ts';

/** Holds a name until the transaction ends; false when another transaction of the database holds it. */
export async function tryLock(tx: Transaction, name: string): Promise<boolean> {
  const [row] = await run<{ has_lock: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as has_lock`,
  );
  return row?.has_lock === true;
}
