import type { Database } from '../../db/client.ts';
import { databaseUnavailable } from '../../db/errors.ts';
import { guarded } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createKeyedLimiter } from '../../keyed-limiter.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency-keys.ts';
import { type Acceptance, acceptDocument } from './accept-document.ts';
import type { NewDocument } from './reserve-documents.ts';

export type AcceptOnce = (
  accountId: string,
  request: NewDocument,
  key: Omit<IdempotencyClaim, 'resourceId'>,
) => Promise<Acceptance & { readonly isReplay: boolean }>;

/**
 * Like `acceptDocument`, but bound to an idempotency key in the same transaction: of concurrent callers with one key,
 * one is accepted and the others get the id of its document. A rejected request does not store its key.
 */
export async function acceptOnce(
  db: Database,
  accountId: string,
  request: NewDocument,
  key: Omit<IdempotencyClaim, 'resourceId'>,
): Promise<Acceptance & { readonly isReplay: boolean }> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const holder = await claimIdempotencyKey(tx, accountId, { ...key, resourceId: request.id });
      // failpoint: idempotency-claimed
      if (holder.resourceId !== request.id)
        return { id: holder.resourceId, filename: '', templateVersion: null, engine: null, isReplay: true };
      return { ...(await acceptDocument(tx, accountId, request)), isReplay: false };
    }),
  );
}

/**
 * Like `acceptOnce`, but each account gets at most a third of the pool: these requests hold a connection while they
 * wait for the lock on the account's allowance, and other accounts need connections too.
 */
export function createOnceAcceptor(db: Database, poolSize: number, maxWaitMs: number): AcceptOnce {
  const limiter = createKeyedLimiter({ maxPerKey: Math.max(1, Math.floor(poolSize / 3)) });
  return async (accountId, request, key) => {
    const permit = await limiter.acquire(accountId, maxWaitMs);
    if (permit === undefined) throw databaseUnavailable(new Error(`no permit within ${maxWaitMs} ms`));
    try {
      return await acceptOnce(db, accountId, request, key);
    } finally {
      permit.release();
    }
  };
}
