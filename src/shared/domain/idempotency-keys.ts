import { and, eq, gt, not, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../db/aliased.ts';
import type { Database, Executor, Transaction } from '../db/client.ts';
import { columnList, excluded, isOneOf, names } from '../db/column-names.ts';
import { rowOf } from '../db/row.ts';
import { generations } from '../db/schema/documents.ts';
import { idempotencyKeys, type StoredResponse } from '../db/schema/idempotency.ts';
import { execute, guarded, nowOr, nowPlus, query, run } from '../db/statement.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';

export interface IdempotencyClaim {
  readonly key: string;
  readonly operation: string;
  /** SHA-256 of the request, hex. */
  readonly requestHash: string;
  readonly resourceId: string;
  readonly ttlSeconds: number;
}

const claimRow = rowOf({ resource_id: idempotencyKeys.resourceId });
const k = aliased(idempotencyKeys, 'k');
const g = aliased(generations, 'g');
const set = names(idempotencyKeys);

/** Whether a repeated request produces the key's document again: it was cancelled, or failed with a server error. */
const isBoundAgain = (
  resourceId: SQL,
): SQL => sql`exists (select 1 from ${generations} ${g} where ${g.id} = ${resourceId}
  and (${isOneOf(g.status, 'cancelled')} or (${isOneOf(g.status, 'failed')} and ${g.error} ->> 'code' in
    ('internal', 'template_suspended', 'worker_lost', 'unavailable'))))`;

/**
 * Binds a key to the resource that this transaction creates, and returns the bound resource: the caller's own, or that
 * of an earlier identical request. Throws `conflict` if the earlier request differs. A key that has expired, or whose
 * document was cancelled or failed with a server error, is bound again. Waits for a concurrent transaction with the
 * same key.
 */
export async function claimIdempotencyKey(
  tx: Transaction,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<{ readonly resourceId: string; readonly response: StoredResponse | null }> {
  const { key, operation, requestHash, resourceId, createdAt, expiresAt } = idempotencyKeys;
  const [own] = await query(
    tx,
    claimRow,
    sql`insert into ${idempotencyKeys} as ${k}
        ${columnList(idempotencyKeys.accountId, key, operation, requestHash, resourceId, createdAt, expiresAt)}
      values (${accountId}, ${claim.key}, ${claim.operation}, ${claim.requestHash}, ${claim.resourceId}, ${nowOr()},
        ${nowPlus(claim.ttlSeconds * 1_000)})
      on conflict ${columnList(idempotencyKeys.accountId, key)} do update set ${set.operation} = ${excluded(operation)},
        ${set.requestHash} = ${excluded(requestHash)}, ${set.resourceId} = ${excluded(resourceId)}, ${set.response} = null,
        ${set.createdAt} = ${excluded(createdAt)}, ${set.expiresAt} = ${excluded(expiresAt)}
      where ${k.expiresAt} <= now() or (${k.operation} = ${excluded(operation)} and ${k.requestHash} = ${excluded(requestHash)}
        and ${isBoundAgain(sql`${k.resourceId}`)})
      returning ${k.resourceId}`,
  );
  if (own !== undefined) return { resourceId: own.resource_id, response: null };
  const [held] = await run(
    tx,
    tx
      .select({ resourceId, operation, requestHash, response: idempotencyKeys.response })
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.accountId, accountId), eq(key, claim.key))),
  );
  if (held === undefined)
    throw new AppError('unavailable', 'This Idempotency-Key has just become free. Try again shortly.', {
      retryAfterSeconds: 1,
    });
  if (held.operation !== claim.operation || held.requestHash !== claim.requestHash) {
    throw new AppError('conflict', 'This Idempotency-Key was used before with another request. Send a new key.');
  }
  return { resourceId: held.resourceId, response: held.response };
}

/**
 * The resource that an unexpired key is bound to by an identical request, or undefined; also undefined if the repeated
 * request would produce the document again. Takes no locks.
 */
export async function findReplay(
  db: Executor,
  accountId: string,
  { key, operation, requestHash }: Omit<IdempotencyClaim, 'resourceId'>,
): Promise<string | undefined> {
  const [held] = await run(
    db,
    db
      .select({ resourceId: idempotencyKeys.resourceId })
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.accountId, accountId),
          eq(idempotencyKeys.key, key),
          eq(idempotencyKeys.operation, operation),
          eq(idempotencyKeys.requestHash, requestHash),
          gt(idempotencyKeys.expiresAt, sql`now()`),
          not(isBoundAgain(sql`${idempotencyKeys.resourceId}`)),
        ),
      ),
  );
  return held?.resourceId;
}

/** The resource and the request that an unexpired key of this operation is bound to, or undefined. Takes no locks. */
export async function findHolder(
  db: Executor,
  accountId: string,
  { key, operation }: Pick<IdempotencyClaim, 'key' | 'operation'>,
): Promise<Pick<IdempotencyClaim, 'resourceId' | 'requestHash'> | undefined> {
  const k = idempotencyKeys;
  const [holder] = await run(
    db,
    db
      .select({ resourceId: k.resourceId, requestHash: k.requestHash })
      .from(k)
      .where(and(eq(k.accountId, accountId), eq(k.key, key), eq(k.operation, operation), gt(k.expiresAt, sql`now()`))),
  );
  return holder;
}

/** Stores the response of the request, to return it to repeated requests. */
export async function rememberResponse(
  tx: Executor,
  accountId: string,
  key: string,
  response: StoredResponse,
): Promise<void> {
  await run(
    tx,
    tx
      .update(idempotencyKeys)
      .set({ response })
      .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key))),
  );
}

/** Deletes up to `limit` expired keys and returns how many. */
export function removeExpiredKeys(db: Executor, limit: number): Promise<number> {
  return execute(
    db,
    sql`delete from ${idempotencyKeys} where (${idempotencyKeys.accountId}, ${idempotencyKeys.key}) in (
      select ${k.accountId}, ${k.key} from ${idempotencyKeys} ${k} where ${k.expiresAt} < now()
      order by ${k.expiresAt} limit ${limit} for update skip locked)`,
  );
}

/**
 * Runs `work` in one transaction; with a claim, once per idempotency key. Returns the id of the resource created by
 * this call or by the first request with the key.
 */
export async function once(
  db: Database,
  accountId: string,
  resourceId: string,
  claim: Omit<IdempotencyClaim, 'resourceId'> | undefined,
  work: (tx: Transaction) => Promise<unknown>,
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

/**
 * Like `once`, for work whose result is the response: a repeated request gets the first one's result, even if the
 * resource has changed since. The result must survive JSON.
 */
export async function onceWithResult<T>(
  db: Database,
  accountId: string,
  claim: Omit<IdempotencyClaim, 'resourceId'> | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ readonly result: T; readonly isReplay: boolean }> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      if (claim === undefined) return { result: await work(tx), isReplay: false };
      const resourceId = newId('req');
      const holder = await claimIdempotencyKey(tx, accountId, { ...claim, resourceId });
      if (holder.resourceId !== resourceId) return { result: fromStoredResult<T>(holder.response), isReplay: true };
      const result = await work(tx);
      await rememberResult(tx, accountId, claim.key, result);
      return { result, isReplay: false };
    }),
  );
}

/** Stored as text, because a `jsonb` object does not keep the order of its fields. */
export function rememberResult(tx: Executor, accountId: string, key: string, result: unknown): Promise<void> {
  return rememberResponse(tx, accountId, key, { text: JSON.stringify(result) });
}

function fromStoredResult<T>(response: StoredResponse | null): T {
  if (response === null || !('text' in response)) throw new Error('the stored response is not a string');
  return JSON.parse(response.text) as T;
}
