import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface DaysToClose {
  readonly accountId: string;
  readonly from: Date;
  readonly to: Date;
  /** More days than it has time for are `unavailable`; the next call goes on behind them. */
  readonly patienceMs: number;
}

/** An entry bears the time at which its transaction began: a day is over when none of it can be under way. */
const graceHours = 1;

/**
 * Adds up the days of a period that are over and have not been, each in a statement of its own: a busy month is more than
 * one has time for. Answers the moment from which on the ledger itself has to be read, as text of the database.
 */
export async function closeDays(db: Executor, { accountId, from, to, patienceMs }: DaysToClose): Promise<string> {
  const [first] = await run<{ until: string }>(
    db,
    sql`select least(${to.toISOString()}::timestamptz, greatest(${from.toISOString()}::timestamptz,
      date_trunc('day', (now() - make_interval(hours => ${graceHours})) at time zone 'UTC') at time zone 'UTC')) as until`,
  );
  if (first === undefined) throw new Error('the database answered no time');
  const { until } = first;
  const endMs = performance.now() + patienceMs;
  for (const day of await findOpenDays(db, accountId, from, until)) {
    if (performance.now() > endMs) throw stillAddingUp();
    await closeDay(db, accountId, day);
  }
  return until;
}

// From day to day by the index: the entries of a day are not read to find the next one.
async function findOpenDays(db: Executor, accountId: string, from: Date, until: string): Promise<readonly string[]> {
  const first = (since: SQL): SQL => sql`(select (l.created_at at time zone 'UTC')::date from ledger l
    where l.account_id = ${accountId} and l.created_at >= ${since} and l.created_at < ${until}::timestamptz
    order by l.created_at limit 1)`;
  const rows = await run<{ day: string }>(
    db,
    sql`with recursive days (day) as (
        select ${first(sql`${from.toISOString()}::timestamptz`)}
        union all
        select ${first(sql`((days.day + 1)::timestamp at time zone 'UTC')`)} from days where days.day is not null
      )
      select day::text from days where day is not null and not exists (
        select 1 from usage_days u where u.account_id = ${accountId} and u.day = days.day)
      order by day`,
  );
  return rows.map(({ day }) => day);
}

/** Two who close one day at a time add up the same: one of them writes it. */
async function closeDay(db: Executor, accountId: string, day: string): Promise<void> {
  await run(
    db,
    sql`insert into usage_days (account_id, day, template_id, key_id, documents, pages, bytes, failures, cancelled)
      select ${accountId}, ${day}::date, coalesce(g.template_id, ''), coalesce(g.api_key_id, ''),
        count(*) filter (where l.kind = 'settle') - count(*) filter (where l.kind = 'refund'),
        coalesce(sum(case l.kind when 'settle' then g.pages when 'refund' then -g.pages end), 0),
        coalesce(sum(case l.kind when 'settle' then g.result_bytes::bigint when 'refund' then -g.result_bytes::bigint end), 0),
        count(*) filter (where l.kind = 'release' and g.status = 'failed'),
        count(*) filter (where l.kind = 'release' and g.status = 'cancelled')
      from ledger l join generations g on g.id = l.generation_id
      where l.account_id = ${accountId} and l.kind <> 'reserve' and l.created_at >= ${day}::timestamp at time zone 'UTC'
        and l.created_at < (${day}::date + 1)::timestamp at time zone 'UTC'
      group by grouping sets ((g.template_id, g.api_key_id), ())
      on conflict do nothing`,
  );
}

const stillAddingUp = (): AppError =>
  new AppError('unavailable', 'The usage of these days is still being added up. Try again shortly.', {
    retryAfterSeconds: 1,
  });
