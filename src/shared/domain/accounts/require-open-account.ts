import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/**
 * Locks an account, so that its deletion cannot begin before the transaction ends. Throws `not_found`, or `conflict` if
 * its deletion has begun.
 */
export async function requireOpenAccount(db: Executor, accountId: string): Promise<void> {
  const { deletingSince } = accounts;
  const [account] = await run(
    db,
    db.select({ deletingSince }).from(accounts).where(eq(accounts.id, accountId)).for('no key update'),
  );
  if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
  if (account.deletingSince !== null)
    throw new AppError('conflict', `The deletion of account ${accountId} has begun. Nothing was changed.`);
}
