import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf } from '../../db/column-names.ts';
import { rowOf, text, timestamptz } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { ledger } from '../../db/schema/quota.ts';
import { usageDays } from '../../db/schema/usage.ts';
import { execute, query, timeValue } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface DaysToClose {
  readonly accountId: string;
  readonly from: Date;
  readonly to: Date;
  /** The time limit. If it is exceeded, throws `unavailable`; the next call continues with the remaining days. */
  readonly limitMs: number;
}

/** Entries carry the start time of their transaction, so a day is complete only after this grace period. */
const graceHours = 1;

const untilRow = rowOf({ until: timestamptz });

/**
 * Totals the past days of a period that have no totals yet. Each day is one statement, because a busy month would
 * exceed the statement timeout. Returns, as PostgreSQL's text, the time after which the ledger itself must be read.
 */
export async function closeDays(db: Executor, { accountId, from, to, limitMs }: DaysToClose): Promise<string> {
  const [first] = await query(
    db,
    untilRow,
    sql`select least(${timeValue(to)}, greatest(${timeValue(from)},
      date_trunc('day', (now() - make_interval(hours => ${graceHours})) at time zone 'UTC') at time zone 'UTC')) as until`,
  );
  if (first === undefined) throw new Error('the database returned no time');
  const { until } = first;
  const endMs = performance.now() + limitMs;
  for (const day of await findOpenDays(db, accountId, from, until)) {
    if (performance.now() > endMs) throw stillComputing();
    await closeDay(db, accountId, day);
  }
  return until;
}

const l = aliased(ledger, 'l');
const u = aliased(usageDays, 'u');
const g = aliased(generations, 'g');
const dayRow = rowOf({ day: text });

// Skips from day to day by the index, without reading the entries of each day.
async function findOpenDays(db: Executor, accountId: string, from: Date, until: string): Promise<readonly string[]> {
  const first = (since: SQL): SQL => sql`(select (${l.createdAt} at time zone 'UTC')::date from ${ledger} ${l}
    where ${l.accountId} = ${accountId} and ${l.createdAt} >= ${since} and ${l.createdAt} < ${until}::timestamptz
    order by ${l.createdAt} limit 1)`;
  const rows = await query(
    db,
    dayRow,
    sql`with recursive days (day) as (
        select ${first(timeValue(from))}
        union all
        select ${first(sql`((days.day + 1)::timestamp at time zone 'UTC')`)} from days where days.day is not null
      )
      select day::text from days where day is not null and not exists (
        select 1 from ${usageDays} ${u} where ${u.accountId} = ${accountId} and ${u.day} = days.day)
      order by day`,
  );
  return rows.map(({ day }) => day);
}

/** Totals one day (`2026-11-21`, UTC). Concurrent calls compute the same totals; one of them writes the row. */
export async function closeDay(db: Executor, accountId: string, day: string): Promise<void> {
  const d = usageDays;
  const isKind = (kind: 'settle' | 'release' | 'refund'): SQL => isOneOf(l.kind, kind);
  const signed = (amount: SQL): SQL =>
    sql`case ${l.kind} when 'settle' then ${amount} when 'refund' then -${amount} end`;
  await execute(
    db,
    sql`insert into ${usageDays}
        ${columnList(d.accountId, d.day, d.templateId, d.keyId, d.documents, d.pages, d.bytes, d.failures, d.cancelled)}
      select ${accountId}, ${day}::date, coalesce(${g.templateId}, ''), coalesce(${g.apiKeyId}, ''),
        count(*) filter (where ${isKind('settle')}) - count(*) filter (where ${isKind('refund')}),
        coalesce(sum(${signed(sql`${g.pages}`)}), 0), coalesce(sum(${signed(sql`${g.resultBytes}::bigint`)}), 0),
        count(*) filter (where ${isKind('release')} and ${isOneOf(g.status, 'failed')}),
        count(*) filter (where ${isKind('release')} and ${isOneOf(g.status, 'cancelled')})
      from ${ledger} ${l} join ${generations} ${g} on ${g.id} = ${l.documentId}
      where ${l.accountId} = ${accountId} and ${l.kind} <> 'reserve'
        and ${l.createdAt} >= ${day}::timestamp at time zone 'UTC'
        and ${l.createdAt} < (${day}::date + 1)::timestamp at time zone 'UTC'
      group by grouping sets ((${g.templateId}, ${g.apiKeyId}), ())
      on conflict do nothing`,
  );
}

const stillComputing = (): AppError =>
  new AppError('unavailable', 'The usage of these days is still being computed. Try again shortly.', {
    retryAfterSeconds: 1,
  });
