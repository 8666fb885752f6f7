import { asc, gt, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyOf } from '../../db/column-names.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { usageDays } from '../../db/schema/usage.ts';
import { execute, run } from '../../db/statement.ts';

/** Deletes the usage of old days for the next `limit` accounts. */
export async function removeOldUsageDays(
  db: Executor,
  after: string,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<{ readonly removed: number; readonly next: string | undefined }> {
  const owners = db.select({ id: accounts.id }).from(accounts).where(gt(accounts.id, after));
  const page = (await run(db, owners.orderBy(asc(accounts.id)).limit(limit))).map(({ id }) => id);
  const removed = await execute(
    db,
    sql`delete from ${usageDays} where ${isAnyOf(usageDays.accountId, page)}
      and ${usageDays.day} < (now() at time zone 'UTC')::date - ${days}::int`,
  );
  return { removed, next: page.length < limit ? undefined : page.at(-1) };
}
