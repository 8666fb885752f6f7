import { and, eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor, Transaction } from '../../db/client.ts';
import { columnList, excluded, names } from '../../db/column-names.ts';
import { operatorRequests } from '../../db/schema/operators.ts';
import { execute, nowPlus, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface OperatorClaim {
  readonly key: string;
  readonly operation: string;
  /** SHA-256 of the request, hex. */
  readonly requestHash: string;
  readonly ttlSeconds: number;
}

const r = aliased(operatorRequests, 'r');
const set = names(operatorRequests);

/**
 * Binds an `Idempotency-Key` of an operator to the request of this transaction. Returns undefined if it is new, or the
 * stored response of an earlier equal request. Throws `conflict` if the earlier request differs. Waits for a concurrent
 * transaction with the same key.
 */
export async function claimOperatorRequest(
  tx: Transaction,
  operatorKeyId: string,
  { key, operation, requestHash, ttlSeconds }: OperatorClaim,
): Promise<string | undefined> {
  const o = operatorRequests;
  const claimed = await execute(
    tx,
    sql`insert into ${o} as ${r} ${columnList(o.operatorKeyId, o.key, o.operation, o.requestHash, o.expiresAt)}
      values (${operatorKeyId}, ${key}, ${operation}, ${requestHash}, ${nowPlus(ttlSeconds * 1_000)})
      on conflict ${columnList(o.operatorKeyId, o.key)} do update set ${set.operation} = ${excluded(o.operation)},
        ${set.requestHash} = ${excluded(o.requestHash)}, ${set.response} = null, ${set.expiresAt} = ${excluded(o.expiresAt)}
      where ${r.expiresAt} <= now()`,
  );
  if (claimed > 0) return undefined;
  const [held] = await run(
    tx,
    tx
      .select({ operation: o.operation, requestHash: o.requestHash, response: o.response })
      .from(o)
      .where(and(eq(o.operatorKeyId, operatorKeyId), eq(o.key, key))),
  );
  if (held?.operation !== operation || held.requestHash !== requestHash)
    throw new AppError('conflict', 'This Idempotency-Key was used before with another request. Send a new key.');
  if (held.response === null) throw new Error('a stored response is missing');
  return held.response;
}

/** Stores the response of the transaction's request. */
export async function rememberOperatorResponse(
  tx: Transaction,
  operatorKeyId: string,
  key: string,
  response: string,
): Promise<void> {
  const o = operatorRequests;
  await run(
    tx,
    tx
      .update(o)
      .set({ response })
      .where(and(eq(o.operatorKeyId, operatorKeyId), eq(o.key, key))),
  );
}

/** Deletes up to `limit` expired requests and returns how many. */
export function removeExpiredOperatorRequests(db: Executor, limit: number): Promise<number> {
  const o = operatorRequests;
  return execute(
    db,
    sql`delete from ${o} where (${o.operatorKeyId}, ${o.key}) in (
      select ${r.operatorKeyId}, ${r.key} from ${o} ${r} where ${r.expiresAt} < now()
      order by ${r.expiresAt} limit ${limit} for update skip locked)`,
  );
}
