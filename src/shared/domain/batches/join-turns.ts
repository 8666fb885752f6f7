import type { AccountLane } from './read-lane.ts';

/**
 * Where each account of `wanting` stands. One that had nothing to do joins where the active account that has had least
 * stands, so that nobody saves turns up by being away, and nobody who comes is behind those who were there; when nobody is
 * active, where `highest` stands.
 */
export function joinTurns(
  accounts: readonly AccountLane[],
  wanting: ReadonlySet<string>,
  highest: number,
): ReadonlyMap<string, number> {
  const standing = (account: AccountLane): number => account.pass + account.overdueUs / account.weight;
  const active = accounts.filter((account) => account.isActive);
  const base = active.length > 0 ? Math.min(...active.map(standing)) : highest;
  return new Map(
    accounts
      .filter(({ accountId }) => wanting.has(accountId))
      .map((account) => [account.accountId, account.isActive ? standing(account) : Math.max(base, standing(account))]),
  );
}
