import type { Pool, PoolClient } from 'pg';

interface Invariant {
  readonly name: string;
  /** A query that returns one row per violation, with `subject` and `story`. */
  readonly violationsQuery: string;
}

/** With the totals of entries that retention has removed. */
const ledgerSums = `select allowance_id, sum(held) as held, sum(settled) as settled from (
    select allowance_id, case kind when 'reserve' then units when 'refund' then 0 else -units end as held,
      case kind when 'settle' then units when 'refund' then -units else 0 end as settled from ledger
    union all
    select allowance_id, reserved - settled - released, settled - refunded from ledger_months) entries group by allowance_id`;

const always: readonly Invariant[] = [
  {
    name: 'L1 the reserved and settled documents of an allowance match its ledger',
    violationsQuery: `select a.id as subject, format('held %s, settled %s; ledger: held %s, settled %s', a.docs_held,
        a.docs_settled, coalesce(l.held, 0), coalesce(l.settled, 0)) as story
      from allowances a left join (${ledgerSums}) l on l.allowance_id = a.id
      where a.docs_held <> coalesce(l.held, 0) or a.docs_settled <> coalesce(l.settled, 0)`,
  },
  {
    name: 'L1 credits are never overdrawn',
    violationsQuery: `select id as subject, format('%s held and %s settled of %s', docs_held, docs_settled, docs) as story
      from allowances where kind = 'credits' and docs_held + docs_settled > docs`,
  },
  {
    name: 'L1 an account has one quota month at a time',
    violationsQuery: `select a.id as subject, format('overlaps %s', b.id) as story from allowances a
      join allowances b on b.account_id = a.account_id and b.kind = 'subscription' and b.id > a.id
      where a.kind = 'subscription' and a.starts_at < b.ends_at and b.starts_at < a.ends_at`,
  },
  {
    name: 'L2 a document has one reservation and one end that matches its status',
    violationsQuery: `select g.id as subject, format('%s with %s reserve, %s settle, %s release', g.status,
        count(*) filter (where l.kind = 'reserve'), count(*) filter (where l.kind = 'settle'),
        count(*) filter (where l.kind = 'release')) as story
      from generations g left join ledger l on l.generation_id = g.id group by g.id
      having count(*) filter (where l.kind = 'reserve') <> (not g.is_test)::int
        or count(*) filter (where l.kind = 'settle') <> (g.status = 'succeeded' and not g.is_test)::int
        or count(*) filter (where l.kind = 'release') <> (g.status in ('failed', 'cancelled') and not g.is_test)::int
        or count(*) filter (where l.kind = 'refund')
          <> (g.status = 'succeeded' and g.refunded_at is not null and not g.is_test)::int`,
  },
  {
    name: 'L2 a ledger entry belongs to a document of its account and to the allowance of the reservation',
    violationsQuery: `select l.id::text as subject, format('%s of %s', l.kind, l.generation_id) as story
      from ledger l left join generations g on g.id = l.generation_id and g.account_id = l.account_id
      left join allowances a on a.id = l.allowance_id and a.account_id = l.account_id
      left join ledger r on r.generation_id = l.generation_id and r.kind = 'reserve'
        and r.allowance_id = l.allowance_id and r.units = l.units
      where g.id is null or a.id is null or r.id is null`,
  },
  {
    name: 'L2 a document is charged to the period of its acceptance',
    violationsQuery: `select g.id as subject, format('accepted %s, charged to %s to %s', g.accepted_at, a.starts_at, a.ends_at) as story
      from generations g join ledger l on l.generation_id = g.id and l.kind = 'reserve' join allowances a on a.id = l.allowance_id
      where g.accepted_at < a.starts_at or g.accepted_at >= a.ends_at`,
  },
  {
    name: 'L3 a finished document records when and how it ended, and contains no secret',
    violationsQuery: `select id as subject, status as story from generations
      where (status in ('queued', 'running')) <> (finished_at is null)
        or (status = 'succeeded' and (timings is null or error is not null or attempt_token is null))
        or (status = 'failed' and (error is null or email is not null or result_key is not null))
        or (finished_at is not null and pdf_options ? 'password')`,
  },
  {
    name: 'the template counter of an account matches its templates, and each has the content of its version',
    violationsQuery: `select a.id as subject, format('counts %s, has %s, %s with content', a.template_count, count(t.id), count(v.version)) as story
      from accounts a left join templates t on t.account_id = a.id and t.deleted_at is null
      left join template_versions v on v.template_id = t.id and v.version = t.version
      group by a.id having a.template_count <> count(t.id) or count(t.id) <> count(v.version)`,
  },
  {
    name: 'E1 a successful document with an e-mail request has one delivery, every other document none',
    // A delivery that was sent again names its recipients itself.
    violationsQuery: `select g.id as subject, format('%s with %s deliveries', g.status, count(d.id)) as story
      from generations g left join deliveries d on d.generation_id = g.id
        and not jsonb_path_exists(d.recipients, '$[*].field') group by g.id
      having count(d.id) > 1 or (count(d.id) > 0 and g.status <> 'succeeded')
        or (g.status = 'succeeded' and g.email is not null and count(d.id) <> 1)`,
  },
  {
    name: 'E1 a delivery lists each recipient once, and its status follows from theirs',
    violationsQuery: `select d.id as subject, format('%s: %s', d.status, string_agg(r.value ->> 'status', ', ')) as story
      from deliveries d, jsonb_array_elements(d.recipients) r group by d.id
      having count(*) filter (where r.value ->> 'address' <> 'erased')
          <> count(distinct lower(r.value ->> 'address')) filter (where r.value ->> 'address' <> 'erased')
        or (d.finished_at is null) <> (d.status in ('pending', 'sending', 'transmitting'))
        or (d.finished_at is not null and bool_or(r.value ->> 'status' in ('pending', 'deferred')))
        or (d.status = 'sent') <> bool_and(r.value ->> 'status' = 'sent')
        or (d.status = 'failed' and bool_or(r.value ->> 'status' <> 'failed'))
        or (d.finished_at is not null and (d.status = 'unknown') <> bool_or(r.value ->> 'status' = 'unknown'))`,
  },
  {
    name: 'N1 the columns of a webhook delivery match its status, and its event and endpoint belong to its account',
    violationsQuery: `select d.id as subject, format('%s, finished %s', d.status, d.finished_at) as story from webhook_deliveries d
      join webhook_events v on v.id = d.event_id join webhook_endpoints e on e.id = d.endpoint_id
      where (d.finished_at is null) <> (d.status in ('pending', 'sending')) or (d.locked_until is null) <> (d.status <> 'sending')
        or d.account_id <> v.account_id or d.account_id <> e.account_id
        or (e.kind = 'callbacks') <> (d.callback_url is not null)`,
  },
  {
    name: 'N1 an event is delivered to an endpoint once',
    violationsQuery: `select event_id as subject, endpoint_id as story from webhook_deliveries
      group by event_id, endpoint_id having count(*) > 1`,
  },
  {
    name: 'an idempotency key refers to an existing resource of its account',
    violationsQuery: `select k.account_id || ' ' || k.key as subject, k.resource_id as story from idempotency_keys k
      where k.resource_id like 'doc\\_%'
        and not exists (select 1 from generations g where g.id = k.resource_id and g.account_id = k.account_id)`,
  },
];

const whenQuiet: readonly Invariant[] = [
  {
    name: 'L3 every document is finished',
    violationsQuery: `select id as subject, format('%s since %s', status, accepted_at) as story from generations
      where status in ('queued', 'running')`,
  },
  {
    name: 'L1 nothing is reserved',
    violationsQuery: `select id as subject, format('%s held', docs_held) as story from allowances where docs_held <> 0`,
  },
  {
    name: 'E1 every delivery is finished',
    violationsQuery: `select id as subject, format('%s after %s attempts', status, attempts) as story from deliveries
      where finished_at is null`,
  },
];

export interface ViolationOptions {
  /** Also checks rules that hold only when all work has finished: nothing is reserved, nothing is unfinished. */
  readonly isQuiet?: boolean;
}

/**
 * Violations of the rules of billing and delivery (L1, L2, L3, N1 and the part of E1 that is visible in rows), one line
 * each. One snapshot serves all rules, so they must hold at any time, also under load.
 */
export async function violations(pool: Pool | PoolClient, options: ViolationOptions = {}): Promise<string[]> {
  const invariants = options.isQuiet === true ? [...always, ...whenQuiet] : always;
  const parts = invariants.map(
    ({ name, violationsQuery }) =>
      `(select '${name}' as rule, b.subject, b.story from (${violationsQuery}) b limit 20)`,
  );
  const { rows } = await pool.query<{ rule: string; subject: string; story: string }>(parts.join(' union all '));
  return rows.map(({ rule, subject, story }) => `${rule}: ${subject}: ${story}`);
}
