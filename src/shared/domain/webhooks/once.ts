import type { Database, Transaction } from '../../db/client.ts';
import { guarded } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency/claim-key.ts';

/**
 * Does `work` in one transaction; with a claim, once for its idempotency key. Answers the id of what was made, now or by
 * the first request with this key.
 */
export async function once(
  db: Database,
  accountId: string,
  resourceId: string,
  claim: Omit<IdempotencyClaim, 'resourceId'> | undefined,
  work: (tx: Transaction) => Promise<void>,
): Promise<string> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      if (claim !== undefined) {
        const holder = await claimIdempotencyKey(tx, accountId, { ...claim, resourceId });
        if (holder.resourceId !== resourceId) return holder.resourceId;
      }
      await work(tx);
      return resourceId;
    }),
  );
}
