import { eq } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';

/** Whose request changes a dictionary, fonts or pictures, which live documents use at once. */
export interface ChangeBy {
  readonly accountId: string;
  /** Whether the key has the scope `templates:approve`. */
  readonly mayApprove?: boolean | undefined;
}

/**
 * Locks an account until the change of what its live documents use is written. Throws `insufficient_scope` if the
 * account needs approval, which cannot be turned on in between, and the key may not approve.
 */
export async function lockForChange(tx: Transaction, { accountId, mayApprove = false }: ChangeBy): Promise<void> {
  const { needsApproval } = accounts;
  const [account] = await run(
    tx,
    tx.select({ needsApproval }).from(accounts).where(eq(accounts.id, accountId)).for('no key update'),
  );
  if (account?.needsApproval !== true || mayApprove) return;
  throw new AppError(
    'insufficient_scope',
    'This account needs approval, and live documents use this change at once. Use a key that also has the scope templates:approve.',
  );
}

/** Runs a change that locks nothing itself. */
export function withLock<T>(db: Database, by: ChangeBy, change: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await lockForChange(tx, by);
    return await change(tx);
  });
}
