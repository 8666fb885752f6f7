import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { closeDays } from './close-days.ts';

export const usageGroups = ['day', 'template', 'key'] as const;
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageQuery {
  readonly accountId: string;
  /** Documents that ended in [from, to) count: whole days (UTC). */
  readonly from: Date;
  readonly to: Date;
  readonly groupBy: UsageGroup;
  readonly limit: number;
}

export interface UsageAmounts {
  /** Made and charged, less what was refunded. */
  readonly documents: number;
  /** Of the PDFs among them. */
  readonly pages: number;
  readonly bytes: number;
  /** Given back because they could not be made. */
  readonly failures: number;
  readonly cancelled: number;
}

export interface UsageEntry extends UsageAmounts {
  /** A day (UTC, `2026-11-21`), or the id of a template or a key; null where no key is known. */
  readonly name: string | null;
}

export interface Usage {
  readonly totals: UsageAmounts;
  readonly groups: readonly UsageEntry[];
  /** There are more groups than `limit`. */
  readonly isCut: boolean;
}

interface Row extends UsageEntry, Record<string, unknown> {
  readonly is_total: boolean;
}

const names: Readonly<Record<UsageGroup, SQL>> = {
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  template: sql`template_id`,
  key: sql`nullif(key_id, '')`,
};

const patienceMs = 20_000;

/**
 * What the ledger says an account used, by day or by most documents. A refund counts when it was given. Days that are over
 * are added up once; `unavailable` while there are more of them than it has time for.
 */
export async function readUsage(db: Executor, query: UsageQuery): Promise<Usage> {
  const { accountId, from, to, groupBy, limit } = query;
  const until = sql`${await closeDays(db, { accountId, from, to, patienceMs })}::timestamptz`;
  const dayOf = (moment: SQL): SQL => sql`(${moment} at time zone 'UTC')::date`;
  const rows = await run<Row>(
    db,
    sql`with used as (
        select day, template_id, key_id, documents, pages, bytes, failures, cancelled from usage_days
        where account_id = ${accountId} and day >= ${dayOf(sql`${from.toISOString()}::timestamptz`)} and day < ${dayOf(until)}
          and template_id <> ''
        union all
        select ${dayOf(sql`l.created_at`)}, g.template_id, coalesce(g.api_key_id, ''), s.sign, s.sign * g.pages,
          s.sign * g.result_bytes::bigint, (l.kind = 'release' and g.status = 'failed')::int,
          (l.kind = 'release' and g.status = 'cancelled')::int
        from ledger l join generations g on g.id = l.generation_id,
          lateral (select case l.kind when 'settle' then 1 when 'refund' then -1 else 0 end as sign) s
        where l.account_id = ${accountId} and l.kind <> 'reserve'
          and l.created_at >= ${until} and l.created_at < ${to.toISOString()}::timestamptz
      )
      select name, grouping(name) = 1 as is_total, coalesce(sum(documents), 0)::float8 as documents,
        coalesce(sum(pages), 0)::float8 as pages, coalesce(sum(bytes), 0)::float8 as bytes,
        coalesce(sum(failures), 0)::float8 as failures, coalesce(sum(cancelled), 0)::float8 as cancelled
      from (select ${names[groupBy]} as name, * from used) named group by grouping sets ((), (name))
      order by is_total desc, ${groupBy === 'day' ? sql`name` : sql`documents desc, name`} limit ${limit + 2}`,
  );
  const [totals, ...groups] = rows;
  if (totals === undefined) throw new Error('the usage has no totals');
  return {
    totals: toAmounts(totals),
    groups: groups.slice(0, limit).map((row) => ({ name: row.name, ...toAmounts(row) })),
    isCut: groups.length > limit,
  };
}

function toAmounts({ documents, pages, bytes, failures, cancelled }: Row): UsageAmounts {
  return { documents, pages, bytes, failures, cancelled };
}
