import { eq } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { accounts } from '../../../db/schema/accounts.ts';
import { batchShares } from '../../../db/schema/batches.ts';
import { guarded, run } from '../../../db/statement.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { AppError } from '../../../errors.ts';

/** Sets an account's fair-share weight: with weight 2 it gets twice the working time of an account with weight 1. */
export async function setBatchWeight(
  db: Executor,
  { accountId, weight }: { readonly accountId: string; readonly weight: number },
): Promise<{ readonly accountId: string; readonly weight: number }> {
  const s = batchShares;
  await guarded(() =>
    inTransaction(db, async (tx) => {
      // Serialises concurrent calls: the later one sets every queue.
      const owner = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId));
      const [account] = await run(tx, owner.for('no key update'));
      if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
      const formats = (['docx', 'pdf', 'xml'] as const).map((format) => ({ accountId, format, weight }));
      await run(tx, tx.insert(s).values(formats).onConflictDoNothing());
      // Includes the account's shares of the queues of engines; each appears with the account's first row there.
      await run(tx, tx.update(s).set({ weight }).where(eq(s.accountId, accountId)));
    }),
  );
  return { accountId, weight };
}
