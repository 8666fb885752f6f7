import { and, asc, eq, gt, gte, or, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList, excluded, names, texts } from '../../db/column-names.ts';
import { apiKeys } from '../../db/schema/accounts.ts';
import { keyUse } from '../../db/schema/audit.ts';
import { execute, run } from '../../db/statement.ts';

/** Requests with a key for operations of one scope. */
export interface KeyUse {
  readonly keyId: string;
  readonly accountId: string;
  readonly scope: string;
  readonly requests: number;
  /** By the clock of the process that received them. */
  readonly firstAt: Date;
  readonly lastAt: Date;
}

const set = names(keyUse);

/**
 * Adds requests to the rows of their keys, scopes and days (UTC), in one statement. No two uses in a call may share
 * key, scope and day.
 */
export async function addKeyUse(db: Executor, uses: readonly KeyUse[]): Promise<void> {
  const u = keyUse;
  const values = (read: (use: KeyUse) => string) => texts(uses.map(read));
  // All processes use the same order, so that no two wait for each other's rows.
  await execute(
    db,
    sql`insert into ${keyUse} ${columnList(u.keyId, u.day, u.scope, u.accountId, u.requests, u.firstAt, u.lastAt)}
      select key_id, (first_at::timestamptz at time zone 'UTC')::date, scope, account_id, requests::bigint,
        first_at::timestamptz, last_at::timestamptz
      from unnest(${values((use) => use.keyId)}, ${values((use) => use.scope)}, ${values((use) => use.accountId)},
        ${values((use) => String(use.requests))}, ${values((use) => use.firstAt.toISOString())},
        ${values((use) => use.lastAt.toISOString())})
        as used (key_id, scope, account_id, requests, first_at, last_at)
      where exists (select 1 from ${apiKeys} where ${apiKeys.id} = used.key_id)
      order by 1, 2, 3
      on conflict ${columnList(u.keyId, u.day, u.scope)} do update
        set ${set.requests} = ${u.requests} + ${excluded(u.requests)},
          ${set.firstAt} = least(${u.firstAt}, ${excluded(u.firstAt)}),
          ${set.lastAt} = greatest(${u.lastAt}, ${excluded(u.lastAt)})`,
  );
}

export interface KeyUsePage {
  readonly uses: readonly (typeof keyUse.$inferSelect)[];
  /** The `after` of the next page; null on the last page. */
  readonly next: string | null;
}

/** A page of the use of an account's keys since a day, ordered by day, key and scope. */
export async function listKeyUse(
  db: Executor,
  filter: {
    readonly accountId: string;
    readonly since: string | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<KeyUsePage> {
  const { accountId, day, keyId, scope } = keyUse;
  const [fromDay = '', fromKey = '', fromScope = ''] = filter.after?.split(' ') ?? [];
  const isBehind =
    filter.after === undefined
      ? undefined
      : or(
          gt(day, fromDay),
          and(eq(day, fromDay), gt(keyId, fromKey)),
          and(eq(day, fromDay), eq(keyId, fromKey), gt(scope, fromScope)),
        );
  const isRecent = filter.since === undefined ? undefined : gte(day, filter.since);
  const rows = await run(
    db,
    db
      .select()
      .from(keyUse)
      .where(and(eq(accountId, filter.accountId), isRecent, isBehind))
      .orderBy(asc(day), asc(keyId), asc(scope))
      .limit(filter.limit + 1),
  );
  const uses = rows.slice(0, filter.limit);
  const last = uses.at(-1);
  const hasMore = rows.length > filter.limit && last !== undefined;
  return { uses, next: hasMore ? `${last.day} ${last.keyId} ${last.scope}` : null };
}
