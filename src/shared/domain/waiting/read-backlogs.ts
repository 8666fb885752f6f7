import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { float8, json, nullable, rowOf, text } from '../../db/row.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { batches, batchInFlightRows, batchRows } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { templates } from '../../db/schema/templates.ts';
import { webhookDeliveries } from '../../db/schema/webhooks.ts';
import { query } from '../../db/statement.ts';
import type { OutputFormat } from '../documents/document-record.ts';

interface Backlog {
  readonly waiting: number;
  /** The number waiting for their next attempt. */
  readonly delayed: number;
  readonly inProgress: number;
  /** How long the oldest job has waited, in seconds; 0 if none waits. */
  readonly oldestSeconds: number;
}

export interface QueueBacklog extends Backlog {
  /** The queue, such as pdf, pdf@25.2 or pdf-batch. */
  readonly queue: string;
}

export interface AccountBacklog extends Backlog {
  readonly accountId: string;
  readonly suspendedAt: Date | null;
  /** The number of waiting jobs, by queue. */
  readonly queues: Readonly<Record<string, number>>;
}

export interface Backlogs {
  readonly queues: readonly QueueBacklog[];
  /** The accounts with the most waiting jobs first. */
  readonly accounts: readonly AccountBacklog[];
  /** False if more wait than were counted. */
  readonly isComplete: boolean;
}

/** The maximum number counted of each kind, status and format, so that a longer backlog costs no more. */
const defaultMax = 100_000;

const g = aliased(generations, 'g');
const t = aliased(templates, 't');
const b = aliased(batches, 'b');
const r = aliased(batchRows, 'r');
const f = aliased(batchInFlightRows, 'f');
const d = aliased(deliveries, 'd');
const w = aliased(webhookDeliveries, 'w');
const a = aliased(accounts, 'a');

const backlogRow = rowOf({
  queue: nullable(text),
  account_id: nullable(text),
  suspended_at: nullable(accounts.suspendedAt),
  waiting: float8,
  delayed: float8,
  in_progress: float8,
  oldest_seconds: float8,
  counted: float8,
  queues: nullable(json<Readonly<Record<string, number>>>()),
});

/**
 * Counts waiting jobs and jobs in progress by queue, and the `top` accounts with the most, or a single account. Reads
 * only unfinished rows, through their indexes, at most `max` of each kind.
 */
export async function readBacklogs(
  db: Executor,
  {
    top,
    accountId,
    max = defaultMax,
  }: { readonly top: number; readonly accountId?: string | undefined; readonly max?: number },
): Promise<Backlogs> {
  const rows = await query(db, backlogRow, statement(top, accountId, max));
  const toBacklog = (row: (typeof rows)[number]): Backlog => ({
    waiting: row.waiting,
    delayed: row.delayed,
    inProgress: row.in_progress,
    oldestSeconds: Math.max(0, Math.round(row.oldest_seconds * 10) / 10),
  });
  return {
    queues: rows.flatMap((row) => (row.queue === null ? [] : [{ queue: row.queue, ...toBacklog(row) }])),
    accounts: rows.flatMap((row) =>
      row.account_id === null
        ? []
        : [{ accountId: row.account_id, suspendedAt: row.suspended_at, ...toBacklog(row), queues: row.queues ?? {} }],
    ),
    isComplete: rows.every(({ counted }) => counted < max),
  };
}

const columns = sql`queue, account_id, waiting, delayed, in_progress, oldest`;

/** Each source returns a row per account, template or batch, with the number counted. */
function statement(top: number, accountId: string | undefined, max: number): SQL {
  const sums = sql`sum(waiting)::float8 as waiting, sum(delayed)::float8 as delayed, sum(in_progress)::float8 as in_progress,
    coalesce(extract(epoch from now() - min(oldest)), 0)::float8 as oldest_seconds`;
  return sql`with singles as materialized (${singles(max)}), row_groups as materialized (${waitingRows(max)}),
      backlog as materialized (
        select ${columns}, counted from singles union all select ${columns}, counted from row_groups union all
        ${rowsInFlight(max)} union all ${emails(max)} union all ${webhooks(max)} union all ${bundles(max)}),
      by_account as (select account_id, ${sums} from backlog where ${accountId ?? null}::text is null or account_id = ${accountId ?? null}
        group by account_id order by sum(waiting) desc, min(oldest), account_id limit ${top})
    select queue, null::text as account_id, null::timestamptz as suspended_at, ${sums}, max(counted)::float8 as counted, null::json as queues
      from backlog group by queue
    union all
    select null, n.account_id, ${a.suspendedAt}, n.waiting, n.delayed, n.in_progress, n.oldest_seconds, 0,
      (select json_object_agg(q.queue, q.waiting) from (select queue, sum(waiting) as waiting from backlog l
        where l.account_id = n.account_id group by queue having sum(waiting) > 0 order by queue) q)
      from by_account n left join ${accounts} ${a} on ${a.id} = n.account_id
    order by queue, waiting desc, oldest_seconds desc`;
}

/** Groups by template first, because templates that are pinned to an engine have their own queue. */
function singles(max: number): SQL {
  const oldest = (format: OutputFormat, status: 'queued' | 'running'): SQL => sql`
    select ${g.format} as format, ${g.accountId} as account_id, ${g.templateId} as template_id, ${g.status} as status, count(*) as number,
      min(${g.acceptedAt}) as oldest, sum(count(*)) over () as counted
    from (select * from ${generations} ${g} where ${isOneOf(g.format, format)} and ${isOneOf(g.status, status)} and ${g.batchId} is null
      order by ${g.acceptedAt}, ${g.id} limit ${max}) ${g} group by 1, 2, 3, 4`;
  const [queued, running] = [sql`o.status = 'queued'`, sql`o.status = 'running'`];
  return sql`select case when o.format = 'pdf' and ${t.engine} is not null then 'pdf@' || ${t.engine} when o.format = 'xml' then 'docx' else o.format end as queue, o.account_id,
      case when ${queued} then o.number else 0 end as waiting, 0 as delayed, case when ${running} then o.number else 0 end as in_progress,
      case when ${queued} then o.oldest end as oldest, o.counted
    from (${oldest('docx', 'queued')} union all ${oldest('docx', 'running')} union all
      ${oldest('pdf', 'queued')} union all ${oldest('pdf', 'running')} union all
      ${oldest('xml', 'queued')} union all ${oldest('xml', 'running')}) o
    left join ${templates} ${t} on ${t.id} = o.template_id`;
}

/** Rows that wait for the dispatcher. */
function waitingRows(max: number): SQL {
  const ofFormat = (format: OutputFormat): SQL => sql`
    select w.format, w.template_id, w.account_id, count(*) as number, min(w.accepted_at) as oldest, sum(count(*)) over () as counted
    from (select ${b.format} as format, ${b.templateId} as template_id, ${b.accountId} as account_id, ${b.acceptedAt} as accepted_at
      from (select * from ${batches} ${b} where ${isOneOf(b.status, 'accepted', 'running')} and ${isOneOf(b.format, format)}
          order by ${b.format}, ${b.accountId}, ${b.acceptedAt}, ${b.id} limit ${max}) ${b},
        lateral (select 1 from ${batchRows} ${r} where ${r.batchId} = ${b.id} and ${r.dispatchedAt} is null limit ${max}) waits
      limit ${max}) w group by 1, 2, 3`;
  return sql`select case when o.format = 'pdf' and ${t.engine} is not null then 'pdf-batch@' || ${t.engine} when o.format = 'xml' then 'docx-batch'
        else o.format || '-batch' end as queue,
      o.account_id, o.number as waiting, 0 as delayed, 0 as in_progress, o.oldest, o.counted
    from (${ofFormat('docx')} union all ${ofFormat('pdf')} union all ${ofFormat('xml')}) o left join ${templates} ${t} on ${t.id} = o.template_id`;
}

/** Rows that are in a batch queue or being processed. */
const rowsInFlight = (max: number): SQL => sql`
  (select case when i.format like 'pdf@%' then 'pdf-batch@' || substr(i.format, 5) when i.format = 'xml' then 'docx-batch'
    else i.format || '-batch' end, i.account_id,
    count(*) filter (where ${isOneOf(g.status, 'queued')}), 0, count(*) filter (where ${isOneOf(g.status, 'running')}),
    min(i.dispatched_at) filter (where ${isOneOf(g.status, 'queued')}), sum(count(*)) over ()
  from (select ${f.format} as format, ${f.accountId} as account_id, ${f.dispatchedAt} as dispatched_at, ${f.documentId} as generation_id
      from ${batchInFlightRows} ${f} limit ${max}) i,
    lateral (select ${g.status} from ${generations} ${g} where ${g.id} = i.generation_id limit 1) ${g}
  group by 1, 2)`;

const emails = (max: number): SQL => sql`
  (select 'mail', e.account_id, count(*) filter (where not e.is_sending and e.at <= now()), count(*) filter (where not e.is_sending and e.at > now()),
    count(*) filter (where e.is_sending), min(e.at) filter (where not e.is_sending and e.at <= now()), sum(count(*)) over ()
  from ((select ${d.accountId} as account_id, ${d.nextAttemptAt} as at, false as is_sending from ${deliveries} ${d}
      where ${isOneOf(d.status, 'pending')} order by ${d.nextAttemptAt}, ${d.id} limit ${max}) union all
    (select ${d.accountId}, ${d.nextAttemptAt}, true from ${deliveries} ${d} where ${isOneOf(d.status, 'sending', 'transmitting')} order by ${d.lockedUntil} limit ${max})) e
  group by 2)`;

const webhooks = (max: number): SQL => sql`
  (select 'webhook', e.account_id, count(*) filter (where not e.is_sending and e.at <= now()), count(*) filter (where not e.is_sending and e.at > now()),
    count(*) filter (where e.is_sending), min(e.at) filter (where not e.is_sending and e.at <= now()), sum(count(*)) over ()
  from ((select ${w.accountId} as account_id, ${w.nextAttemptAt} as at, false as is_sending from ${webhookDeliveries} ${w}
      where ${isOneOf(w.status, 'pending')}
      order by ${w.accountId}, ${w.target}, ${w.nextAttemptAt} limit ${max}) union all
    (select ${w.accountId}, ${w.nextAttemptAt}, true from ${webhookDeliveries} ${w} where ${isOneOf(w.status, 'sending')}
      order by ${w.accountId} limit ${max})) e
  group by 2)`;

/** A bundle that a worker has begun is in progress, even between attempts. */
const bundles = (max: number): SQL => sql`
  (select 'bundle', u.account_id, count(*) filter (where not u.has_begun), 0, count(*) filter (where u.has_begun),
    min(u.accepted_at) filter (where not u.has_begun), sum(count(*)) over ()
  from (select ${b.accountId} as account_id, ${b.acceptedAt} as accepted_at, ${b.bundleToken} is not null as has_begun from ${batches} ${b}
    where ${isOneOf(b.status, 'bundling')} order by ${b.acceptedAt}, ${b.id} limit ${max}) u
  group by 2)`;
