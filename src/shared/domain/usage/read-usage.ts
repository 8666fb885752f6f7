import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

export const usageGroups = ['day', 'template', 'key'] as const;
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageQuery {
  readonly accountId: string;
  /** Documents that ended in [from, to) count. */
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
  day: sql`to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD')`,
  template: sql`g.template_id`,
  key: sql`g.api_key_id`,
};

/** What the ledger says an account used, by day or by most documents. A refund counts when it was given. */
export async function readUsage(db: Executor, query: UsageQuery): Promise<Usage> {
  const { accountId, from, to, groupBy, limit } = query;
  const rows = await run<Row>(
    db,
    sql`with ends as (
        select ${names[groupBy]} as name, l.kind, g.status, case l.kind when 'settle' then 1 when 'refund' then -1 end as sign,
          g.pages, g.result_bytes
        from ledger l join generations g on g.id = l.generation_id
        where l.account_id = ${accountId} and l.kind <> 'reserve'
          and l.created_at >= ${from.toISOString()}::timestamptz and l.created_at < ${to.toISOString()}::timestamptz
      )
      select name, grouping(name) = 1 as is_total, coalesce(sum(sign), 0)::float8 as documents,
        coalesce(sum(sign * pages), 0)::float8 as pages, coalesce(sum(sign * result_bytes::bigint), 0)::float8 as bytes,
        (count(*) filter (where kind = 'release' and status = 'failed'))::float8 as failures,
        (count(*) filter (where kind = 'release' and status = 'cancelled'))::float8 as cancelled
      from ends group by grouping sets ((), (name))
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
