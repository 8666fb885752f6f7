import type { Context } from 'hono';
import type { IdempotencyClaim } from '../../shared/domain/idempotency/claim-key.ts';
import type { ApiDeps } from '../context.ts';
import type { ApiEnv } from '../env.ts';

/** What `once` binds to the request's `Idempotency-Key`; undefined when it has none. */
export function onceClaim(
  c: Context<ApiEnv>,
  { config }: ApiDeps,
  operation: string,
  requestHash: string,
): Omit<IdempotencyClaim, 'resourceId'> | undefined {
  const key = c.get('idempotencyKey');
  return key === undefined ? undefined : { key, operation, requestHash, ttlSeconds: config.RESULT_TTL_SECONDS };
}
