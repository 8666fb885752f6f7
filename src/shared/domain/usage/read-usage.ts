import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf, names } from '../../db/column-names.ts';
import { bool, float8, nullable, type RowOf, rowOf, text } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { ledger } from '../../db/schema/quota.ts';
import { usageDays } from '../../db/schema/usage.ts';
import { query, timeValue } from '../../db/statement.ts';
import { closeDays } from './close-days.ts';

export const usageGroups = ['day', 'template', 'key', 'dayAndTemplate'] as const;
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageQuery {
  readonly accountId: string;
  /** Whole days (UTC): counts documents that ended in [from, to). */
  readonly from: Date;
  readonly to: Date;
  readonly groupBy: UsageGroup;
  /** Only documents of this template. */
  readonly templateId?: string | undefined;
  readonly limit: number;
}

export interface UsageAmounts {
  /** Produced and charged, minus refunds. */
  readonly documents: number;
  /** Pages of the PDFs among them. */
  readonly pages: number;
  readonly bytes: number;
  /** Released because they could not be produced. */
  readonly failures: number;
  readonly cancelled: number;
}

export interface UsageEntry extends UsageAmounts {
  /** A day (UTC, `2026-11-21`), or the id of a template or a key; null when the key is unknown. */
  readonly name: string | null;
  /** For `dayAndTemplate`: one of the most used templates, or null for the total of all others. */
  readonly templateId?: string | null;
}

export interface Usage {
  readonly totals: UsageAmounts;
  readonly groups: readonly UsageEntry[];
  /** True if there are more groups than `limit`. */
  readonly hasMore: boolean;
}

const usageRow = rowOf({
  name: nullable(text),
  part: nullable(text),
  is_total: bool,
  documents: float8,
  pages: float8,
  bytes: float8,
  failures: float8,
  cancelled: float8,
});
const l = aliased(ledger, 'l');
const g = aliased(generations, 'g');
const used = names(usageDays);

const groupNames: Readonly<Record<UsageGroup, SQL>> = {
  day: sql`to_char(${used.day}, 'YYYY-MM-DD')`,
  template: used.templateId,
  key: sql`nullif(${used.keyId}, '')`,
  dayAndTemplate: sql`to_char(${used.day}, 'YYYY-MM-DD')`,
};

/** For `dayAndTemplate`, the number of templates that get their own groups. */
export const maxParts = 10;

const closeLimitMs = 20_000;

/**
 * An account's usage according to the ledger: days in order, other groups by number of documents. A refund counts on
 * the day of the refund. Past days are totalled once; throws `unavailable` if that exceeds the time limit.
 */
export async function readUsage(db: Executor, request: UsageQuery): Promise<Usage> {
  const { accountId, from, to, groupBy, templateId: onlyTemplate, limit } = request;
  const until = sql`${await closeDays(db, { accountId, from, to, limitMs: closeLimitMs })}::timestamptz`;
  const dayOf = (time: SQL): SQL => sql`(${time} at time zone 'UTC')::date`;
  const { day, templateId, keyId, documents, pages, bytes, failures, cancelled } = used;
  const isWanted = (template: SQL): SQL =>
    onlyTemplate === undefined ? sql`` : sql`and ${template} = ${onlyTemplate}`;
  const inOrder = sql`sum(${documents}) desc, sum(${failures}) desc, ${templateId}`;
  const part =
    groupBy === 'dayAndTemplate'
      ? sql`case when ${templateId} in (select ${templateId} from used group by 1 order by ${inOrder} limit ${maxParts})
          then ${templateId} end`
      : sql`null::text`;
  const order = {
    day: sql`name`,
    dayAndTemplate: sql`name, documents desc, part`,
    template: undefined,
    key: undefined,
  };
  const rows = await query(
    db,
    usageRow,
    sql`with used as (
        select ${day}, ${templateId}, ${keyId}, ${documents}, ${pages}, ${bytes}, ${failures}, ${cancelled} from ${usageDays}
        where ${used.accountId} = ${accountId} and ${day} >= ${dayOf(timeValue(from))} and ${day} < ${dayOf(until)}
          and ${templateId} <> '' ${isWanted(templateId)}
        union all
        select ${dayOf(sql`${l.createdAt}`)}, ${g.templateId}, coalesce(${g.apiKeyId}, ''), s.sign, s.sign * ${g.pages},
          s.sign * ${g.resultBytes}::bigint, (${isOneOf(l.kind, 'release')} and ${isOneOf(g.status, 'failed')})::int,
          (${isOneOf(l.kind, 'release')} and ${isOneOf(g.status, 'cancelled')})::int
        from ${ledger} ${l} join ${generations} ${g} on ${g.id} = ${l.documentId},
          lateral (select case ${l.kind} when 'settle' then 1 when 'refund' then -1 else 0 end as sign) s
        where ${l.accountId} = ${accountId} and ${l.kind} <> 'reserve'
          and ${l.createdAt} >= ${until} and ${l.createdAt} < ${timeValue(to)} ${isWanted(sql`${g.templateId}`)}
      )
      select name, part, grouping(name) = 1 as is_total, coalesce(sum(${documents}), 0)::float8 as documents,
        coalesce(sum(${pages}), 0)::float8 as pages, coalesce(sum(${bytes}), 0)::float8 as bytes,
        coalesce(sum(${failures}), 0)::float8 as failures, coalesce(sum(${cancelled}), 0)::float8 as cancelled
      from (select ${groupNames[groupBy]} as name, ${part} as part, * from used) named group by grouping sets ((), (name, part))
      order by is_total desc, ${order[groupBy] ?? sql`documents desc, name`} limit ${limit + 2}`,
  );
  const [totals, ...groups] = rows;
  if (totals === undefined) throw new Error('the usage has no totals');
  return {
    totals: toAmounts(totals),
    groups: groups.slice(0, limit).map((row) => ({
      name: row.name,
      ...(groupBy === 'dayAndTemplate' && { templateId: row.part }),
      ...toAmounts(row),
    })),
    hasMore: groups.length > limit,
  };
}

function toAmounts({ documents, pages, bytes, failures, cancelled }: RowOf<typeof usageRow>): UsageAmounts {
  return { documents, pages, bytes, failures, cancelled };
}
