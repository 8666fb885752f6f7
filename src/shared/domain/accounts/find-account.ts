import { asc, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { accounts, apiKeys } from '../../db/schema/accounts.ts';
import { subscriptions } from '../../db/schema/quota.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface AccountRecord {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly subscription: { readonly docs: number; readonly templates: number; readonly anchorDay: number } | null;
  readonly keys: readonly {
    readonly keyId: string;
    readonly createdAt: Date;
    readonly expiresAt: Date | null;
    readonly revokedAt: Date | null;
    /** Documents the key may request in a calendar month (UTC); null for no limit beyond the account's quota. */
    readonly docsPerMonth: number | null;
  }[];
}

export async function findAccount(db: Executor, accountId: string): Promise<AccountRecord> {
  const { docs, templates, anchorDay } = subscriptions;
  const [account] = await run(
    db,
    db
      .select({ name: accounts.name, createdAt: accounts.createdAt, subscription: { docs, templates, anchorDay } })
      .from(accounts)
      .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
      .where(eq(accounts.id, accountId)),
  );
  if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
  const { id, createdAt, expiresAt, revokedAt, docsPerMonth } = apiKeys;
  const keys = await run(
    db,
    db
      .select({ keyId: id, createdAt, expiresAt, revokedAt, docsPerMonth })
      .from(apiKeys)
      .where(eq(apiKeys.accountId, accountId))
      .orderBy(asc(id)),
  );
  return { accountId, ...account, keys };
}
