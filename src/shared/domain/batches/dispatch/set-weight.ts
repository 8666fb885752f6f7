import { eq } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { batchShares } from '../../../db/schema/batches.ts';
import { guarded, run } from '../../../db/statement.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { requireOpenAccount } from '../../accounts/require-open-account.ts';

/** Sets an account's fair-share weight: with weight 2 it gets twice the working time of an account with weight 1. */
export async function setBatchWeight(
  db: Executor,
  { accountId, weight }: { readonly accountId: string; readonly weight: number },
): Promise<{ readonly accountId: string; readonly weight: number }> {
  const s = batchShares;
  await guarded(() =>
    inTransaction(db, async (tx) => {
      // Serialises concurrent calls: the later one sets every queue.
      await requireOpenAccount(tx, accountId);
      const formats = (['docx', 'pdf', 'xml'] as const).map((format) => ({ accountId, format, weight }));
      await run(tx, tx.insert(s).values(formats).onConflictDoNothing());
      // Includes the account's shares of the queues of engines; each appears with the account's first row there.
      await run(tx, tx.update(s).set({ weight }).where(eq(s.accountId, accountId)));
    }),
  );
  return { accountId, weight };
}
