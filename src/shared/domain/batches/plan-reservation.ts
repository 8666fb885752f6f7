import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { documentQuotaExceeded } from '../generations/accept-generation.ts';

/** So many units of one allowance. */
export interface Share {
  readonly allowanceId: string;
  readonly units: number;
}

/**
 * Where `units` documents would be taken from, in the order of single ones: the quota month first, then the credits that
 * end soonest. Locks nothing but, when `isLocking`, the account's allowances. Throws `quota_exceeded`: all or none.
 */
export async function planReservation(
  db: Executor,
  accountId: string,
  { units, isLocking }: { readonly units: number; readonly isLocking: boolean },
): Promise<readonly Share[]> {
  const rows = await run<{ id: string; left: number }>(
    db,
    sql`select id, docs - docs_held - docs_settled as left from allowances
      where account_id = ${accountId} and starts_at <= ${nowOr()} and (ends_at is null or ends_at > ${nowOr()})
      order by kind desc, ends_at nulls last, id ${isLocking ? sql`for no key update` : sql``}`,
  );
  const shares: Share[] = [];
  let missing = units;
  for (const { id, left } of rows) {
    const taken = Math.min(missing, Math.max(0, left));
    if (taken > 0) shares.push({ allowanceId: id, units: taken });
    missing -= taken;
  }
  if (missing > 0) throw documentQuotaExceeded();
  // A row that costs nothing is written down too, against whatever there is.
  const [first] = rows;
  return shares.length === 0 && first !== undefined ? [{ allowanceId: first.id, units: 0 }] : shares;
}
