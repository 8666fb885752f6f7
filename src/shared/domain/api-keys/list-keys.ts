import { asc, eq, sql } from 'drizzle-orm';
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
}

/** The account's keys, oldest first, without their secrets; empty for an unknown account. */
export async function listKeys(db: Executor, accountId: string): Promise<readonly KeyRecord[]> {
  const { id, name, scopes, isTest, createdAt, expiresAt, revokedAt, docsPerMonth, previousExpiresAt } = apiKeys;
  const previousSecretUntil = sql<Date | null>`case when ${previousExpiresAt} > now() and ${revokedAt} is null
    then least(${previousExpiresAt}, ${expiresAt}) end`.mapWith(previousExpiresAt);
  const rows = await run(
    db,
    db
      .select({ keyId: id, name, scopes, isTest, createdAt, expiresAt, revokedAt, previousSecretUntil, docsPerMonth })
      .from(apiKeys)
      .where(eq(apiKeys.accountId, accountId))
      .orderBy(asc(id)),
  );
  return rows.map((row) => ({ ...row, scopes: readScopes(row.scopes) }));
}
