import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { apiKeys } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { type KeyScopes, readScopes } from './scopes.ts';

export interface KeyRecord {
  readonly keyId: string;
  readonly name: string | null;
  /** Null for every scope. */
  readonly scopes: KeyScopes;
  readonly isTest: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** When the secret from before the last rotation expires; null if it no longer works. */
  readonly previousSecretUntil: Date | null;
  /** Documents the key may request in a calendar month (UTC); null for no limit beyond the account's quota. */
  readonly docsPerMonth: number | null;
  /** The id of the provider, for a person who signs in; null for a key. */
  readonly provider: string | null;
  readonly email: string | null;
  readonly roles: readonly string[] | null;
  /** The person who is responsible for the key. */
  readonly ownerId: string | null;
}

/** The account's keys, oldest first, without their secrets; empty for an unknown account. */
export const listKeys = async (db: Executor, accountId: string): Promise<readonly KeyRecord[]> =>
  (await findAccountKeysPage(db, { accountId, limit: undefined, after: undefined })).keys;

/** A page of the account's keys, oldest first; without a limit, all of them. */
export async function findAccountKeysPage(
  db: Executor,
  page: { readonly accountId: string; readonly limit: number | undefined; readonly after: string | undefined },
): Promise<{ readonly keys: readonly KeyRecord[]; readonly next: string | undefined }> {
  const { id, name, scopes, isTest, createdAt, expiresAt, revokedAt, docsPerMonth, previousExpiresAt } = apiKeys;
  const { provider, email, roles, ownerId } = apiKeys;
  const previousSecretUntil = sql<Date | null>`case when ${previousExpiresAt} > now() and ${revokedAt} is null
    then least(${previousExpiresAt}, ${expiresAt}) end`.mapWith(previousExpiresAt);
  const isBehind = page.after === undefined ? undefined : gt(id, page.after);
  const found = db
    .select({
      keyId: id,
      name,
      scopes,
      isTest,
      createdAt,
      expiresAt,
      revokedAt,
      previousSecretUntil,
      docsPerMonth,
      provider,
      email,
      roles,
      ownerId,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, page.accountId), isBehind))
    .orderBy(asc(id));
  const { limit } = page;
  const rows = await run(db, limit === undefined ? found : found.limit(limit + 1));
  const keys = rows.slice(0, limit).map((row) => ({ ...row, scopes: readScopes(row.scopes) }));
  return { keys, next: rows.length > keys.length ? keys.at(-1)?.keyId : undefined };
}
