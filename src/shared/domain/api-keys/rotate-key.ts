import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { apiKeys } from '../../db/schema/accounts.ts';
import { nowPlus, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { makeApiKey } from './api-key.ts';

export interface Rotation {
  readonly keyId: string;
  /** How long the current secret remains valid after the rotation. */
  readonly overlapMs: number;
  /** Whether to end the overlap of an earlier rotation now. */
  readonly isForced: boolean;
}

export interface RotatedKey {
  readonly keyId: string;
  readonly previousSecretUntil: Date | null;
  readonly apiKey: string;
}

const k = apiKeys;

/**
 * Gives a key a new secret. The key keeps its id, account, name, scopes, budget and expiry. The previous secret works
 * until the overlap ends, by the database's clock. Throws `not_found`, or `conflict` if the key is revoked or expired,
 * or if an earlier secret still works.
 */
export async function rotateKey(db: Executor, { keyId, overlapMs, isForced }: Rotation): Promise<RotatedKey> {
  // The kind of a key never changes, so it can be read before the update.
  const [kind] = await run(db, db.select({ isTest: k.isTest, provider: k.provider }).from(k).where(eq(k.id, keyId)));
  if (kind === undefined) throw new AppError('not_found', `There is no key ${keyId}`);
  if (kind.provider !== null)
    throw new AppError('conflict', `${keyId} is a person, who signs in and has no key. Create a key with this owner.`);
  const { apiKey, publicId, secretHash } = makeApiKey(kind.isTest);
  const hasNoOverlap = or(isNull(k.previousExpiresAt), lte(k.previousExpiresAt, sql`now()`));
  const [row] = await run(
    db,
    db
      .update(k)
      .set({
        publicId,
        secretHash,
        previousPublicId: sql`${k.publicId}`,
        previousSecretHash: sql`${k.secretHash}`,
        previousExpiresAt: nowPlus(overlapMs),
      })
      .where(and(eq(k.id, keyId), isUsable, isForced ? undefined : hasNoOverlap))
      .returning({ previousSecretUntil: k.previousExpiresAt }),
  );
  if (row === undefined) throw await explain(db, keyId);
  return { keyId, previousSecretUntil: row.previousSecretUntil, apiKey };
}

const isUsable = and(isNull(k.revokedAt), or(isNull(k.expiresAt), gt(k.expiresAt, sql`now()`)));

async function explain(db: Executor, keyId: string): Promise<AppError> {
  const [row] = await run(
    db,
    db
      .select({ revokedAt: k.revokedAt, previousExpiresAt: k.previousExpiresAt })
      .from(k)
      .where(and(eq(k.id, keyId), isUsable)),
  );
  return row === undefined
    ? new AppError('conflict', `The key ${keyId} is revoked or has expired. Create another key.`)
    : new AppError(
        'conflict',
        `The previous secret of the key ${keyId} works until ${row.previousExpiresAt?.toISOString()}. Wait, or end it now (--force; in the API, force).`,
      );
}
