import type { Database } from '../../db/client.ts';
import { createTurns } from '../../keyed-limiter.ts';
import type { IdempotencyClaim } from '../idempotency/claim-key.ts';
import { type Acceptance, acceptOnce } from './accept-generation.ts';
import type { GenerationRequest } from './generation-request.ts';

export type AcceptOnce = (
  accountId: string,
  request: GenerationRequest,
  key: Omit<IdempotencyClaim, 'resourceId'>,
) => Promise<Acceptance & { readonly isReplay: boolean }>;

/**
 * As `acceptOnce`; orders of one account take at most a third of the pool, and wait their turn beyond: they hold their
 * connections while they wait for each other at the account's allowance, and other accounts need some too.
 */
export function createOnceAcceptor(db: Database, poolSize: number, mostWaitMs: number): AcceptOnce {
  const inTurn = createTurns({ mostAtOnce: Math.max(1, Math.floor(poolSize / 3)), mostWaitMs });
  return (accountId, request, key) => inTurn(accountId, () => acceptOnce(db, accountId, request, key));
}
