import type { Executor } from '../../shared/db/client.ts';
import { findReplay, type IdempotencyClaim } from '../../shared/domain/idempotency-keys.ts';

/**
 * Runs `admit`, which refuses new work while the service has no capacity for it. A request that repeats an accepted one
 * needs no capacity: instead of throwing the refusal, returns the id of the accepted one's resource.
 */
export async function admitOrReplay(
  { db }: { readonly db: Executor },
  accountId: string,
  claim: Omit<IdempotencyClaim, 'resourceId'> | undefined,
  admit: () => void | Promise<void>,
): Promise<string | undefined> {
  try {
    await admit();
    return undefined;
  } catch (refusal) {
    const replayedId = claim && (await findReplay(db, accountId, claim));
    if (replayedId === undefined) throw refusal;
    return replayedId;
  }
}
