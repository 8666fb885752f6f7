import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface AccountState {
  readonly accountId: string;
  readonly suspendedAt: Date | null;
}

const { id, suspendedAt, deletingSince } = accounts;

/**
 * Suspends an account: its keys are rejected as soon as the key caches of the API processes expire, and its batches are
 * not dispatched. Repeated calls keep the time of the first. Throws `not_found`.
 */
export async function suspendAccount(db: Executor, accountId: string): Promise<AccountState> {
  const [row] = await run(
    db,
    db
      .update(accounts)
      .set({ suspendedAt: sql`coalesce(${suspendedAt}, now())` })
      .where(eq(id, accountId))
      .returning({ accountId: id, suspendedAt }),
  );
  if (row === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
  return row;
}

/** Ends a suspension. Throws `not_found`, or `conflict` for an account whose deletion has begun. */
export async function resumeAccount(db: Executor, accountId: string): Promise<AccountState> {
  const [row] = await run(
    db,
    db
      .update(accounts)
      .set({ suspendedAt: null })
      .where(and(eq(id, accountId), isNull(deletingSince)))
      .returning({ accountId: id, suspendedAt }),
  );
  if (row !== undefined) return row;
  const [existing] = await run(db, db.select({ id }).from(accounts).where(eq(id, accountId)));
  if (existing === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
  throw new AppError('conflict', 'The deletion of this account has begun and cannot be undone');
}
