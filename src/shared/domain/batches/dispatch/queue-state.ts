import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { run } from '../../../db/statement.ts';
import type { OutputFormat } from '../../generations/generation-record.ts';

export interface WaitingBatch {
  readonly batchId: string;
  readonly accountId: string;
  readonly inputKey: string;
  /** Counted up to the given number. */
  readonly waiting: number;
}

/** What an account has under way in a format, and where its turns stand. Times are microseconds of working time. */
export interface AccountShare {
  readonly accountId: string;
  readonly weight: number;
  readonly virtualTime: number;
  readonly costUs: number | undefined;
  readonly isActive: boolean;
  readonly inFlight: number;
  readonly running: number;
  readonly bytes: number;
  readonly workUs: number;
  /** Of those under way, the ones that no worker has. */
  readonly queued: number;
  readonly queuedUs: number;
  /** What its rows under way have taken beyond what they were charged for. */
  readonly overdueUs: number;
}

/** The batches of a format that have rows to hand out, oldest first. */
export async function findWaitingBatches(
  db: Executor,
  format: OutputFormat,
  countTo: number,
): Promise<readonly WaitingBatch[]> {
  const rows = await run<{ id: string; account_id: string; input_key: string; waiting: number }>(
    db,
    sql`select b.id, b.account_id, b.input_key, w.waiting from batches b, lateral (
          select count(*)::int as waiting from (
            select 1 from batch_rows r where r.batch_id = b.id and r.dispatched_at is null limit ${countTo}) first) w
      where b.status in ('accepted', 'running') and b.format = ${format} and w.waiting > 0
      order by b.accepted_at, b.id`,
  );
  return rows.map((row) => ({
    batchId: row.id,
    accountId: row.account_id,
    inputKey: row.input_key,
    waiting: row.waiting,
  }));
}

/**
 * The accounts that want turns in the format, and those that have rows under way; those that were there before come first, so
 * that who joins at the lowest virtual_time goes after who stands there. Accounts that are new to the format get a place at once.
 */
export async function readAccounts(
  db: Executor,
  format: OutputFormat,
  wanting: readonly string[],
): Promise<readonly AccountShare[]> {
  await run(
    db,
    sql`insert into batch_shares (account_id, format) select id, ${format} from unnest(${sql.param(wanting)}::text[]) id
      on conflict do nothing`,
  );
  const rows = await run<
    Record<
      'weight' | 'virtual_time' | 'in_flight' | 'running' | 'bytes' | 'work_us' | 'queued_us' | 'overdue_us',
      number
    > & {
      account_id: string;
      cost_us: number | null;
      is_active: boolean;
    }
  >(
    db,
    sql`with in_flight_rows as (
        select f.account_id, f.data_bytes, f.charged_us, g.status = 'running' as is_running,
          case when g.status = 'running' then extract(epoch from now() - g.started_at) * 1000000 else 0 end as elapsed_us
        from batch_in_flight_rows f join generations g on g.id = f.generation_id where f.format = ${format}
      )
      select t.account_id, t.weight, t.virtual_time::float, t.cost_us::float, t.is_active, count(f.account_id)::int as in_flight,
        count(*) filter (where f.is_running)::int as running, coalesce(sum(f.data_bytes), 0)::float as bytes,
        coalesce(sum(greatest(f.charged_us, f.elapsed_us)), 0)::float as work_us,
        coalesce(sum(f.charged_us) filter (where not f.is_running), 0)::float as queued_us,
        coalesce(sum(greatest(f.elapsed_us - f.charged_us, 0)), 0)::float as overdue_us
      from batch_shares t left join in_flight_rows f on f.account_id = t.account_id
      where t.format = ${format} and (t.is_active or t.account_id = any(${sql.param(wanting)}::text[]))
      group by t.account_id, t.format order by t.is_active desc, t.account_id`,
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    weight: row.weight,
    virtualTime: row.virtual_time,
    costUs: row.cost_us ?? undefined,
    isActive: row.is_active,
    inFlight: row.in_flight,
    running: row.running,
    bytes: row.bytes,
    workUs: row.work_us,
    queued: row.in_flight - row.running,
    queuedUs: row.queued_us,
    overdueUs: row.overdue_us,
  }));
}

/** Where the account stands that has ever had most of the format. */
export async function readHighestVirtualTime(db: Executor, format: OutputFormat): Promise<number> {
  const [row] = await run<{ virtual_time: number | null }>(
    db,
    sql`select max(virtual_time)::float as virtual_time from batch_shares where format = ${format}`,
  );
  return row?.virtual_time ?? 0;
}
