import { eq, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../../db/aliased.ts';
import type { Executor } from '../../../db/client.ts';
import { columnList, isOneOf, texts } from '../../../db/column-names.ts';
import { bool, cast, float8, int4, nullable, rowOf } from '../../../db/row.ts';
import { accounts } from '../../../db/schema/accounts.ts';
import { batches, batchInFlightRows, batchRows, batchShares } from '../../../db/schema/batches.ts';
import { generations } from '../../../db/schema/documents.ts';
import { pauses } from '../../../db/schema/operations.ts';
import { templates } from '../../../db/schema/templates.ts';
import { execute, query, run } from '../../../db/statement.ts';
import { type BatchQueue, engineOf, formatOf } from './batch-queue.ts';

const workRow = rowOf({ has_work: bool });
const b = aliased(batches, 'b');
const r = aliased(batchRows, 'r');
const f = aliased(batchInFlightRows, 'f');
const g = aliased(generations, 'g');
const s = aliased(batchShares, 's');
const t = aliased(templates, 't');

/** True when batches of this queue's format are in progress. A cheap check, because usually none are. */
export async function hasWork(db: Executor, queue: BatchQueue): Promise<boolean> {
  const [row] = await query(
    db,
    workRow,
    sql`select exists (select 1 from ${batches} ${b} where ${isOneOf(b.status, 'accepted', 'running')} and ${b.format} = ${formatOf(queue)})
      or exists (select 1 from ${batchInFlightRows} ${f} where ${f.format} = ${queue}) as has_work`,
  );
  return row?.has_work === true;
}

export interface WaitingBatch {
  readonly batchId: string;
  readonly accountId: string;
  readonly inputKey: string;
  /** Number of waiting rows, counted up to a limit. */
  readonly waiting: number;
}

/** The number of rows in flight, over all accounts. */
export async function countInFlight(db: Executor, format: BatchQueue): Promise<number> {
  const { format: of } = batchInFlightRows;
  const count = cast(int4, sql`count(*)`);
  const [row] = await run(db, db.select({ count }).from(batchInFlightRows).where(eq(of, format)));
  return row?.count ?? 0;
}

const waitingRow = rowOf({ id: batches.id, account_id: batches.accountId, input_key: batches.inputKey, waiting: int4 });

/**
 * For each account that is neither suspended nor paused, finds the oldest batches of a queue that hold its first
 * `countLimit` waiting rows. Skips from account to account by the index and stops at the limit, so it reads neither
 * batches nor rows that it does not return.
 */
export async function findWaitingBatches(
  db: Executor,
  queue: BatchQueue,
  countLimit: number,
): Promise<readonly WaitingBatch[]> {
  const isOpen = sql`${isOneOf(b.status, 'accepted', 'running')} and ${b.format} = ${formatOf(queue)}`;
  const engine = engineOf(queue);
  // A .docx needs no engine. A template that was purged in the meantime has no pin.
  const isPinned = sql`select 1 from ${templates} ${t} where ${t.id} = ${b.templateId}`;
  const belongs =
    engine === null
      ? sql`(${b.format} = 'docx' or not exists (${isPinned} and ${t.engine} is not null))`
      : sql`exists (${isPinned} and ${t.engine} = ${engine})`;
  const isNotPaused = sql`not exists (select 1 from ${pauses} where ${pauses.target} = 'account:' || ${b.accountId})`;
  const account = (behind: SQL) => sql`select ${b.accountId} as account_id from ${batches} ${b}
    where ${isOpen} and ${b.accountId} > ${behind} order by ${b.accountId} limit 1`;
  const rows = await query(
    db,
    waitingRow,
    sql`with recursive owners as (
        (${account(sql`''`)})
        union all
        select next.account_id from owners a, lateral (${account(sql`a.account_id`)}) next
      )
      select w.id, w.account_id, w.input_key, w.waiting from owners a, lateral (
        select first.id, first.account_id, first.input_key, first.accepted_at, count(*)::int as waiting from (
          select o.* from (
            select ${b.id}, ${b.accountId}, ${b.inputKey}, ${b.acceptedAt} from ${batches} ${b}
            where ${isOpen} and ${belongs} and ${b.accountId} = a.account_id and ${isNotPaused} order by ${b.acceptedAt}, ${b.id}) o, lateral (
            select 1 from ${batchRows} ${r} where ${r.batchId} = o.id and ${r.dispatchedAt} is null
            limit ${countLimit}) waiting_row
          limit ${countLimit}) first
        group by first.id, first.account_id, first.input_key, first.accepted_at) w
      where not exists (select 1 from ${accounts} where ${accounts.id} = a.account_id and ${accounts.suspendedAt} is not null)
      order by w.accepted_at, w.id`,
  );
  return rows.map((row) => ({
    batchId: row.id,
    accountId: row.account_id,
    inputKey: row.input_key,
    waiting: row.waiting,
  }));
}

/** An account's share of a batch queue and its rows in flight. Times are microseconds of working time. */
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
  /** Rows in flight that no worker has claimed. */
  readonly queued: number;
  readonly queuedUs: number;
  /** Working time of its rows in flight beyond what they were charged. */
  readonly overdueUs: number;
}

const shareRow = rowOf({
  account_id: batchShares.accountId,
  weight: batchShares.weight,
  virtual_time: float8,
  cost_us: nullable(float8),
  is_active: batchShares.isActive,
  in_flight: int4,
  running: int4,
  bytes: float8,
  work_us: float8,
  queued_us: float8,
  overdue_us: float8,
});

/**
 * The accounts in `waitingAccounts` and all active ones. Active accounts come first, so that an account joining at the
 * lowest virtual time is scheduled after those that already have it. Creates the shares of new accounts.
 */
export async function readAccounts(
  db: Executor,
  format: BatchQueue,
  waitingAccounts: readonly string[],
): Promise<readonly AccountShare[]> {
  await execute(
    db,
    sql`insert into ${batchShares} ${columnList(batchShares.accountId, batchShares.format, batchShares.weight)}
      select id, ${format}, coalesce((select ${s.weight} from ${batchShares} ${s}
          where ${s.accountId} = id and ${s.format} = ${formatOf(format)}), 1)
      from unnest(${texts(waitingAccounts)}) id on conflict do nothing`,
  );
  const elapsedUs = sql`extract(epoch from now() - ${g.startedAt}) * 1000000`;
  const rows = await query(
    db,
    shareRow,
    sql`with in_flight as (
        select ${f.accountId} as account_id, ${f.dataBytes} as data_bytes, ${f.chargedUs} as charged_us,
          ${isOneOf(g.status, 'running')} as is_running,
          case when ${isOneOf(g.status, 'running')} then ${elapsedUs} else 0 end as elapsed_us
        from ${batchInFlightRows} ${f} join ${generations} ${g} on ${g.id} = ${f.documentId} where ${f.format} = ${format}
      )
      select ${s.accountId}, ${s.weight}, ${s.virtualTime}::float, ${s.costUs}::float, ${s.isActive},
        count(i.account_id)::int as in_flight, count(*) filter (where i.is_running)::int as running,
        coalesce(sum(i.data_bytes), 0)::float as bytes,
        coalesce(sum(greatest(i.charged_us, i.elapsed_us)), 0)::float as work_us,
        coalesce(sum(i.charged_us) filter (where not i.is_running), 0)::float as queued_us,
        coalesce(sum(greatest(i.elapsed_us - i.charged_us, 0)), 0)::float as overdue_us
      from ${batchShares} ${s} left join in_flight i on i.account_id = ${s.accountId}
      where ${s.format} = ${format} and (${s.isActive} or ${s.accountId} = any(${texts(waitingAccounts)}))
      group by ${s.accountId}, ${s.format} order by ${s.isActive} desc, ${s.accountId}`,
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

/** The highest virtual time that any account has reached. */
export async function readHighestVirtualTime(db: Executor, format: BatchQueue): Promise<number> {
  const { virtualTime } = batchShares;
  const [row] = await run(
    db,
    db
      .select({ highest: sql`max(${virtualTime})`.mapWith(virtualTime) })
      .from(batchShares)
      .where(eq(batchShares.format, format)),
  );
  return row?.highest ?? 0;
}

/** The queues that have rows in flight. Such rows are few. */
export async function findQueuesInFlight(db: Executor): Promise<readonly BatchQueue[]> {
  const { format } = batchInFlightRows;
  const rows = await run(db, db.selectDistinct({ format }).from(batchInFlightRows));
  return rows.map((row) => row.format);
}
