import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { cast, text } from '../../db/row.ts';
import { accounts, apiKeys, keySpending } from '../../db/schema/accounts.ts';
import { keyUse } from '../../db/schema/audit.ts';
import { nowOr, run } from '../../db/statement.ts';
import { monthOf } from './budget.ts';
import { type KeyScopes, readScopes } from './scopes.ts';

export const keyStatuses = ['active', 'expired', 'revoked'] as const;

/** A key as its account sees it, without the secret. */
export interface AccountKey {
  readonly id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly name: string | null;
  /** The id of the provider, for a person who signs in; null for a key. */
  readonly provider: string | null;
  readonly email: string | null;
  /** The roles of a person at the last sign-in. */
  readonly roles: readonly string[] | null;
  /** The person who is responsible for the key. */
  readonly ownerId: string | null;
  /** The part of the key that identifies its row; not secret. */
  readonly publicId: string;
  readonly status: (typeof keyStatuses)[number];
  readonly isTest: boolean;
  /** Null for every scope. */
  readonly scopes: KeyScopes;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** When the secret from before the last rotation expires; null if it no longer works. */
  readonly previousSecretUntil: Date | null;
  /** The last recorded request with the key. Processes record use every few seconds. */
  readonly lastUsedAt: Date | null;
  /** Documents the key may request in a calendar month (UTC); null for no limit beyond the account's quota. */
  readonly docsPerMonth: number | null;
  /** Documents requested with the key in this calendar month (UTC), less refunds; null when none were counted. */
  readonly docsThisMonth: number | null;
}

/** The account's key in any state; undefined if it does not exist. */
export async function findAccountKey(db: Executor, accountId: string, keyId: string): Promise<AccountKey | undefined> {
  const [row] = await run(db, selectKeys(db).where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId))));
  return row === undefined ? undefined : toAccountKey(row);
}

/**
 * A page of the account's keys, newest first, including revoked and expired ones. `next` is the cursor if there are
 * more.
 */
export async function listAccountKeys(
  db: Executor,
  {
    accountId,
    limit,
    before,
  }: { readonly accountId: string; readonly limit: number; readonly before?: string | undefined },
): Promise<{ readonly keys: readonly AccountKey[]; readonly next: string | undefined }> {
  const isInPage = and(eq(apiKeys.accountId, accountId), before === undefined ? undefined : lt(apiKeys.id, before));
  const rows = await run(
    db,
    selectKeys(db)
      .where(isInPage)
      .orderBy(desc(apiKeys.id))
      .limit(limit + 1),
  );
  const keys = rows.slice(0, limit).map(toAccountKey);
  return { keys, next: rows.length > limit ? keys.at(-1)?.id : undefined };
}

type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number];

function selectKeys(db: Executor) {
  const k = apiKeys;
  const status = sql`case when ${k.revokedAt} is not null then 'revoked'
    when ${k.expiresAt} <= now() then 'expired' else 'active' end`;
  const previousSecretUntil = sql<Date | null>`case when ${k.previousExpiresAt} > now() and ${k.revokedAt} is null
    then least(${k.previousExpiresAt}, ${k.expiresAt}) end`.mapWith(k.previousExpiresAt);
  // The newest day has a row for each scope; the index finds it without reading older days.
  const lastUsedAt = sql<Date | null>`(select max(${keyUse.lastAt}) from ${keyUse} where ${keyUse.keyId} = ${k.id}
    and ${keyUse.day} = (select max(${keyUse.day}) from ${keyUse} where ${keyUse.keyId} = ${k.id}))`.mapWith(
    keyUse.lastAt,
  );
  return db
    .select({
      id: k.id,
      account: { id: accounts.id, name: accounts.name },
      name: k.name,
      provider: k.provider,
      email: k.email,
      roles: k.roles,
      ownerId: k.ownerId,
      publicId: k.publicId,
      status: cast(text, status),
      isTest: k.isTest,
      scopes: k.scopes,
      createdAt: k.createdAt,
      expiresAt: k.expiresAt,
      revokedAt: k.revokedAt,
      previousSecretUntil,
      lastUsedAt,
      docsPerMonth: k.docsPerMonth,
      docsThisMonth: keySpending.docs,
    })
    .from(k)
    .innerJoin(accounts, eq(accounts.id, k.accountId))
    .leftJoin(keySpending, and(eq(keySpending.keyId, k.id), eq(keySpending.month, monthOf(nowOr()))))
    .$dynamic();
}

function toAccountKey({ status, scopes, ...row }: KeyRow): AccountKey {
  const known = keyStatuses.find((one) => one === status) ?? 'active';
  return { ...row, status: known, scopes: readScopes(scopes) };
}
