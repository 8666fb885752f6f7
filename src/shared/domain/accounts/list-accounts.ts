import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { float8, int4, nullable, rowOf } from '../../db/row.ts';
import { accounts, apiKeys } from '../../db/schema/accounts.ts';
import { allowances, subscriptions } from '../../db/schema/quota.ts';
import { query } from '../../db/statement.ts';

export interface AccountSummary {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly deletingSince: Date | null;
  readonly templates: number;
  /** Keys that are neither revoked nor expired. */
  readonly keys: number;
  /** Documents of the current quota month, and of all valid credits. `used` includes those being produced. */
  readonly subscription: { readonly docs: number; readonly used: number } | null;
  readonly credits: { readonly docs: number; readonly used: number };
}

export interface AccountPage {
  readonly limit: number;
  /** The last id of the previous page. */
  readonly after?: string | undefined;
}

const a = aliased(accounts, 'a');
const s = aliased(subscriptions, 's');
const k = aliased(apiKeys, 'k');
const w = aliased(allowances, 'w');
const summaryRow = rowOf({
  id: accounts.id,
  name: accounts.name,
  created_at: accounts.createdAt,
  suspended_at: accounts.suspendedAt,
  deleting_since: accounts.deletingSince,
  template_count: accounts.templateCount,
  keys: int4,
  subscription_docs: nullable(int4),
  subscription_used: float8,
  credit_docs: float8,
  credit_used: float8,
});

/** A page of all accounts in the order of their creation. `next` is the last id if there are more. */
export async function listAccounts(
  db: Executor,
  { limit, after = '' }: AccountPage,
): Promise<{ readonly accounts: readonly AccountSummary[]; readonly next: string | null }> {
  const sumOf = (amount: SQL, kind: 'subscription' | 'credits'): SQL =>
    sql`coalesce(sum(${amount}) filter (where ${isOneOf(w.kind, kind)}), 0)::float8`;
  const used = sql`${w.docsHeld} + ${w.docsSettled}`;
  const rows = await query(
    db,
    summaryRow,
    sql`select ${a.id}, ${a.name}, ${a.createdAt}, ${a.suspendedAt}, ${a.deletingSince}, ${a.templateCount},
        (select count(*)::int from ${apiKeys} ${k} where ${k.accountId} = ${a.id} and ${k.revokedAt} is null
          and (${k.expiresAt} is null or ${k.expiresAt} > now())) as keys,
        ${s.docs} as subscription_docs, valid.subscription_used, valid.credit_docs, valid.credit_used
      from (select * from ${accounts} where ${accounts.id} > ${after} and ${accounts.deletedAt} is null order by ${accounts.id} limit ${limit + 1}) ${a}
      left join ${subscriptions} ${s} on ${s.accountId} = ${a.id},
      lateral (select ${sumOf(used, 'subscription')} as subscription_used, ${sumOf(sql`${w.docs}`, 'credits')} as credit_docs,
          ${sumOf(used, 'credits')} as credit_used
        from ${allowances} ${w} where ${w.accountId} = ${a.id} and ${w.startsAt} <= now()
          and (${w.endsAt} is null or ${w.endsAt} > now())) valid
      order by ${a.id}`,
  );
  const page = rows.slice(0, limit).map((row) => ({
    accountId: row.id,
    name: row.name,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
    deletingSince: row.deleting_since,
    templates: row.template_count,
    keys: row.keys,
    subscription: row.subscription_docs === null ? null : { docs: row.subscription_docs, used: row.subscription_used },
    credits: { docs: row.credit_docs, used: row.credit_used },
  }));
  return { accounts: page, next: rows.length > limit ? (page.at(-1)?.accountId ?? null) : null };
}
