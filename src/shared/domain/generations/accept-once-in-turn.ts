import type { Database } from '../../db/client.ts';
import { databaseUnavailable } from '../../db/errors.ts';
import { createKeyedLimiter } from '../../keyed-limiter.ts';
import type { IdempotencyClaim } from '../idempotency/claim-key.ts';
import { type Acceptance, acceptOnce } from './accept-generation.ts';
import type { GenerationRequest } from './generation-request.ts';

export type AcceptOnce = (
  accountId: string,
  request: GenerationRequest,
  key: Omit<IdempotencyClaim, 'resourceId'>,
) => Promise<Acceptance & { readonly isReplay: boolean }>;

/**
 * As `acceptOnce`; requests of one account take at most a third of the pool, and wait for a permit beyond: they hold their
 * connections while they wait for each other at the account's allowance, and other accounts need some too.
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
