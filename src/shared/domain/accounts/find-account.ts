import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface AccountRecord {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly subscription: { readonly docs: number; readonly templates: number; readonly anchorDay: number } | null;
  readonly keys: readonly {
    readonly keyId: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
    readonly revokedAt: string | null;
    /** Documents it may order in a calendar month (UTC); null for as many as the account has. */
    readonly docsPerMonth: number | null;
  }[];
}

export async function findAccount(db: Executor, accountId: string): Promise<AccountRecord> {
  const [row] = await run<{ name: string; created_at: string; subscription: null; keys: [] }>(
    db,
    sql`select a.name, a.created_at,
      (select json_build_object('docs', s.docs, 'templates', s.templates, 'anchorDay', s.anchor_day)
        from subscriptions s where s.account_id = a.id) as subscription,
      coalesce((select json_agg(json_build_object('keyId', k.id, 'createdAt', k.created_at, 'expiresAt', k.expires_at,
        'revokedAt', k.revoked_at, 'docsPerMonth', k.docs_per_month) order by k.id) from api_keys k where k.account_id = a.id), '[]'::json) as keys
      from accounts a where a.id = ${accountId}`,
  );
  if (row === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
  const { name, subscription, keys } = row;
  return { accountId, name, createdAt: new Date(row.created_at), subscription, keys };
}
