import { eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList } from '../../db/column-names.ts';
import { accounts, apiKeys } from '../../db/schema/accounts.ts';
import { execute, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { makeApiKey } from './api-key.ts';

/** Creates a key for an account. Only its hash is stored, so the key cannot be shown again. */
export async function createKey(
  db: Executor,
  input: { readonly accountId: string; readonly expiresAt?: Date | undefined },
): Promise<{ readonly keyId: string; readonly accountId: string; readonly apiKey: string }> {
  const keyId = newId('key');
  const { apiKey, publicId, secretHash } = makeApiKey();
  const { id, accountId, expiresAt } = apiKeys;
  const created = await execute(
    db,
    sql`insert into ${apiKeys} ${columnList(id, accountId, apiKeys.publicId, apiKeys.secretHash, expiresAt)}
      select ${keyId}, ${accounts.id}, ${publicId}, ${secretHash}, ${input.expiresAt?.toISOString() ?? null}::timestamptz
      from ${accounts} where ${accounts.id} = ${input.accountId}`,
  );
  if (created === 0) throw new AppError('not_found', `There is no account ${input.accountId}`);
  return { keyId, accountId: input.accountId, apiKey };
}

/** Revokes a key by its id. Revoking it again succeeds and keeps the first time. */
export async function revokeKey(
  db: Executor,
  keyId: string,
): Promise<{ readonly keyId: string; readonly revokedAt: Date | null }> {
  const [row] = await run(
    db,
    db
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
      .where(eq(apiKeys.id, keyId))
      .returning({ revokedAt: apiKeys.revokedAt }),
  );
  if (row === undefined) throw new AppError('not_found', `There is no key ${keyId}`);
  return { keyId, revokedAt: row.revokedAt };
}
