import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/** Removes idempotency keys past their time; at most `limit` of them. */
export async function removeExpiredKeys(db: Executor, limit: number): Promise<number> {
  const rows = await run(
    db,
    sql`delete from idempotency_keys where (account_id, key) in (
        select account_id, key from idempotency_keys where expires_at < now() order by expires_at limit ${limit}
          for update skip locked)
      returning 1`,
  );
  return rows.length;
}
