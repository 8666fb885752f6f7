import { timingSafeEqual } from 'node:crypto';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { bool, cast, float8 } from '../../db/row.ts';
import { accounts, apiKeys } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { hashApiKey, parsePublicId } from './api-key.ts';
import { type KeyScopes, readScopes } from './scopes.ts';

export interface KeyHolder {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: KeyScopes;
  readonly isTest: boolean;
  /** A suspended account gets no response except that it is suspended. */
  readonly isSuspended: boolean;
  /**
   * Milliseconds until the key, or its previous secret, expires by the database's clock; undefined if it does not
   * expire.
   */
  readonly expiresInMs?: number | undefined;
}

/**
 * The holder of a valid key; undefined for a malformed, unknown, expired or revoked key. After a rotation, the previous
 * secret also finds the key until the overlap ends.
 */
export async function findKey(db: Executor, apiKey: string): Promise<KeyHolder | undefined> {
  const publicId = parsePublicId(apiKey);
  if (publicId === undefined) return undefined;
  const k = apiKeys;
  const isCurrent = eq(k.publicId, publicId);
  const isPrevious = and(eq(k.previousPublicId, publicId), gt(k.previousExpiresAt, sql`now()`));
  const end = sql`least(${k.expiresAt}, case when ${isCurrent} then null else ${k.previousExpiresAt} end)`;
  const [row] = await run(
    db,
    db
      .select({
        keyId: k.id,
        accountId: k.accountId,
        scopes: k.scopes,
        isTest: k.isTest,
        isCurrent: cast(bool, isCurrent),
        secretHash: k.secretHash,
        previousSecretHash: k.previousSecretHash,
        suspendedAt: accounts.suspendedAt,
        expiresInMs: cast(float8, sql`coalesce(extract(epoch from ${end} - now()) * 1000, 'infinity')`),
      })
      .from(k)
      .innerJoin(accounts, eq(accounts.id, k.accountId))
      .where(and(or(isCurrent, isPrevious), isNull(k.revokedAt), or(isNull(k.expiresAt), gt(k.expiresAt, sql`now()`)))),
  );
  const secretHash = row?.isCurrent === false ? row.previousSecretHash : row?.secretHash;
  if (row === undefined || !secretHash || !timingSafeEqual(secretHash, hashApiKey(apiKey))) return undefined;
  return {
    accountId: row.accountId,
    keyId: row.keyId,
    scopes: readScopes(row.scopes),
    isTest: row.isTest,
    isSuspended: row.suspendedAt !== null,
    expiresInMs: row.expiresInMs === Number.POSITIVE_INFINITY ? undefined : row.expiresInMs,
  };
}
