import { sql } from 'drizzle-orm';
import { aliased } from '../../../db/aliased.ts';
import type { Executor } from '../../../db/client.ts';
import { isAnyOf, names, texts } from '../../../db/column-names.ts';
import { batchShares } from '../../../db/schema/batches.ts';
import { execute } from '../../../db/statement.ts';
import type { BatchQueue } from './batch-queue.ts';
import type { AccountShare } from './queue-state.ts';

/**
 * The virtual time of each account in `waitingAccounts`. An account that was idle joins at the lowest virtual time of
 * the active ones, so that idle time earns no credit and newcomers do not wait behind everyone else; without active
 * accounts it joins at `highest`.
 */
export function assignVirtualTimes(
  accounts: readonly AccountShare[],
  waitingAccounts: ReadonlySet<string>,
  highest: number,
): ReadonlyMap<string, number> {
  const current = (account: AccountShare): number => account.virtualTime + account.overdueUs / account.weight;
  const active = accounts.filter((account) => account.isActive);
  const base = active.length > 0 ? Math.min(...active.map(current)) : highest;
  return new Map(
    accounts
      .filter(({ accountId }) => waitingAccounts.has(accountId))
      .map((account) => [account.accountId, account.isActive ? current(account) : Math.max(base, current(account))]),
  );
}

const s = aliased(batchShares, 's');
const set = names(batchShares);

/** Stores the virtual times of accounts that joined, and marks those in `idle` as inactive. */
export async function saveVirtualTimes(
  db: Executor,
  format: BatchQueue,
  joined: ReadonlyMap<string, number>,
  idle: readonly string[],
): Promise<void> {
  if (joined.size === 0 && idle.length === 0) return;
  const virtualTimes = [...joined.values()].map(Math.round);
  await execute(
    db,
    sql`with joined as (
        update ${batchShares} ${s} set ${set.isActive} = true, ${set.virtualTime} = j.virtual_time
        from unnest(${texts([...joined.keys()])}, ${sql.param(virtualTimes)}::bigint[]) as j (account_id, virtual_time)
        where ${s.accountId} = j.account_id and ${s.format} = ${format}
      )
      update ${batchShares} set ${set.isActive} = false
      where ${batchShares.format} = ${format} and ${isAnyOf(batchShares.accountId, idle)}`,
  );
}
