import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface IdempotencyClaim {
  readonly key: string;
  readonly operation: string;
  /** SHA-256 of what was asked, hex. */
  readonly requestHash: string;
  readonly resourceId: string;
  readonly ttlSeconds: number;
}

/**
 * Binds a key to the resource this transaction makes, and answers whose resource it is bound to: the caller's own, or the
 * one of an earlier request with the same content. Another content is a `conflict`. A key whose document failed for a
 * reason of ours, or that has expired, is taken over. Waits for a transaction that holds the same key.
 */
export async function claimIdempotencyKey(
  tx: Transaction,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<{ readonly resourceId: string; readonly response: unknown }> {
  const [own] = await run<{ resource_id: string }>(
    tx,
    sql`insert into idempotency_keys as k (account_id, key, operation, request_hash, resource_id, created_at, expires_at)
      values (${accountId}, ${claim.key}, ${claim.operation}, ${claim.requestHash}, ${claim.resourceId}, now(),
        now() + make_interval(secs => ${claim.ttlSeconds}))
      on conflict (account_id, key) do update set operation = excluded.operation, request_hash = excluded.request_hash,
        resource_id = excluded.resource_id, response = null, created_at = excluded.created_at, expires_at = excluded.expires_at
      where k.expires_at <= now() or (k.operation = excluded.operation and k.request_hash = excluded.request_hash and exists (
        select 1 from generations g where g.id = k.resource_id and (g.status = 'cancelled' or (g.status = 'failed'
          and g.error ->> 'code' in ('internal', 'conversion_failed', 'conversion_timeout', 'worker_lost', 'unavailable')))))
      returning resource_id`,
  );
  if (own !== undefined) return { resourceId: own.resource_id, response: null };
  const [held] = await run<{ resource_id: string; operation: string; request_hash: string; response: unknown }>(
    tx,
    sql`select resource_id, operation, request_hash, response from idempotency_keys
      where account_id = ${accountId} and key = ${claim.key}`,
  );
  if (held === undefined) throw new AppError('unavailable', 'Try again shortly.', { retryAfterSeconds: 1 });
  if (held.operation !== claim.operation || held.request_hash !== claim.requestHash) {
    throw new AppError('conflict', 'This Idempotency-Key was used before with another request. Send a new key.');
  }
  return { resourceId: held.resource_id, response: held.response };
}

/** Remembers what the bound request answered, so that a repetition answers the same. */
export async function rememberResponse(
  tx: Transaction,
  accountId: string,
  key: string,
  response: unknown,
): Promise<void> {
  await run(
    tx,
    sql`update idempotency_keys set response = ${JSON.stringify(response)}::jsonb
      where account_id = ${accountId} and key = ${key}`,
  );
}
