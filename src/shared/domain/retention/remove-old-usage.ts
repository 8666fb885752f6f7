import { and, asc, gt, lt, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyOf } from '../../db/column-names.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { usageDays } from '../../db/schema/usage.ts';
import { run } from '../../db/statement.ts';

/** Deletes the usage of old days for the next `limit` accounts. */
export async function removeOldUsageDays(
  db: Executor,
  after: string,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<{ readonly removed: number; readonly next: string | undefined }> {
  const owners = db.select({ id: accounts.id }).from(accounts).where(gt(accounts.id, after));
  const page = (await run(db, owners.orderBy(asc(accounts.id)).limit(limit))).map(({ id }) => id);
  const isOld = lt(usageDays.day, sql`(now() at time zone 'UTC')::date - ${days}::int`);
  const { rowCount } = await run(db, db.delete(usageDays).where(and(isAnyOf(usageDays.accountId, page), isOld)));
  return { removed: rowCount ?? 0, next: page.length < limit ? undefined : page.at(-1) };
}
