import { eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList } from '../../db/column-names.ts';
import { accounts, apiKeys } from '../../db/schema/accounts.ts';
import { execute, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { requireOpenAccount } from '../accounts/require-open-account.ts';
import { makeApiKey } from './api-key.ts';
import type { KeyScopes } from './scopes.ts';

const owner = aliased(apiKeys, 'owner');

export interface NewKey {
  readonly accountId: string;
  readonly name?: string | undefined;
  /** Null for every scope. */
  readonly scopes?: KeyScopes | undefined;
  readonly isTest?: boolean | undefined;
  readonly expiresAt?: Date | undefined;
  /** The person who is responsible for it. */
  readonly ownerId?: string | undefined;
}

export interface CreatedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string | null;
  readonly scopes: KeyScopes;
  readonly isTest: boolean;
  readonly expiresAt: Date | null;
  readonly ownerId: string | null;
  /** The key as clients send it. */
  readonly apiKey: string;
}

/**
 * Creates a key for an account. Only its hash is stored, so the key cannot be shown again. Throws `not_found`, also if
 * the owner is no person of the account, or `conflict` if the deletion of the account has begun.
 */
export async function createKey(db: Executor, input: NewKey): Promise<CreatedKey> {
  await requireOpenAccount(db, input.accountId);
  const keyId = newId('key');
  const { name = null, scopes = null, isTest = false, expiresAt = null, ownerId = null } = input;
  const { apiKey, publicId, secretHash } = makeApiKey(isTest);
  const { id, accountId } = apiKeys;
  const columns = [
    id,
    accountId,
    apiKeys.name,
    apiKeys.scopes,
    apiKeys.isTest,
    apiKeys.publicId,
    apiKeys.secretHash,
    apiKeys.expiresAt,
    apiKeys.ownerId,
  ];
  const isOwner = sql`(${ownerId}::text is null or exists (select 1 from ${apiKeys} ${owner} where ${owner.id} = ${ownerId}
    and ${owner.accountId} = ${accounts.id} and ${owner.provider} is not null and ${owner.revokedAt} is null))`;
  const created = await execute(
    db,
    sql`insert into ${apiKeys} ${columnList(...columns)}
      select ${keyId}, ${accounts.id}, ${name}, ${sql.param(scopes)}::text[], ${isTest}::boolean, ${publicId}, ${secretHash},
        ${expiresAt?.toISOString() ?? null}::timestamptz, ${ownerId}::text
      from ${accounts} where ${accounts.id} = ${input.accountId} and ${isOwner}`,
  );
  // The account is locked, so only the owner can be missing.
  if (created === 0)
    throw new AppError('not_found', `Nobody with the id ${ownerId} signs in to this account. See its keys for people.`);
  return { keyId, accountId: input.accountId, name, scopes, isTest, expiresAt, ownerId, apiKey };
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
