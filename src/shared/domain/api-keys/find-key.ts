import { timingSafeEqual } from 'node:crypto';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { cast, float8 } from '../../db/row.ts';
import { apiKeys } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { hashApiKey, parsePublicId } from './api-key.ts';
import { type KeyScopes, readScopes } from './scopes.ts';

export interface KeyHolder {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: KeyScopes;
  readonly isTest: boolean;
  /** Milliseconds until the key expires, by the database's clock; undefined for a key that does not expire. */
  readonly expiresInMs?: number | undefined;
}

/** The holder of a valid key; undefined for a malformed, unknown, expired or revoked key. */
export async function findKey(db: Executor, apiKey: string): Promise<KeyHolder | undefined> {
  const publicId = parsePublicId(apiKey);
  if (publicId === undefined) return undefined;
  const { id, accountId, scopes, isTest, secretHash, expiresAt, revokedAt } = apiKeys;
  const [row] = await run(
    db,
    db
      .select({
        keyId: id,
        accountId,
        scopes,
        isTest,
        secretHash,
        expiresAt,
        expiresInMs: cast(float8, sql`extract(epoch from ${expiresAt} - now()) * 1000`),
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.publicId, publicId), isNull(revokedAt), or(isNull(expiresAt), gt(expiresAt, sql`now()`)))),
  );
  if (row === undefined || !timingSafeEqual(row.secretHash, hashApiKey(apiKey))) return undefined;
  return {
    accountId: row.accountId,
    keyId: row.keyId,
    scopes: readScopes(row.scopes),
    isTest: row.isTest,
    expiresInMs: row.expiresAt === null ? undefined : row.expiresInMs,
  };
}
