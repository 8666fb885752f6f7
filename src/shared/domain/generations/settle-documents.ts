import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { successEvents } from '../webhooks/document-events.ts';
import { eventOutbox } from '../webhooks/emit-event.ts';
import type { EndedAttempt, FinishedDocument } from './ended-attempt.ts';
import { statusValues } from './status-values.ts';

export interface Settlement {
  readonly attempt: EndedAttempt;
  readonly document: FinishedDocument;
}

/**
 * Finishes the rows of these attempts, settles their reservations, and writes their e-mails and events, in one statement.
 * Answers the ids of those that it finished: an attempt that was fenced, or has finished before, is left out. Allowances are
 * locked in the order in which they are used, as orders and batches lock them, so that no two of these wait for each other.
 */
export async function settleDocuments(db: Executor, settlements: readonly Settlement[]): Promise<readonly string[]> {
  const ids = sql`any(${sql.param(settlements.map(({ attempt }) => attempt.id))}::text[])`;
  const emitsEvents = settlements.some(({ attempt }) => attempt.emitsEvents !== false);
  const isMailed = settlements.some(({ attempt }) => attempt.isMailed !== false);
  const rows = await run<{ id: string }>(
    db,
    sql`with document as (
        select * from json_to_recordset(${JSON.stringify(settlements.map(toRow))}::json) as d (id text, attempt_token text,
          ttl_seconds float, result_store text, result_key text, result_bytes int, result_checksum text, pages int,
          warnings jsonb, timings jsonb)
      ), done as (
        update generations g set status = 'succeeded', finished_at = now(),
          expires_at = now() + make_interval(secs => d.ttl_seconds), result_store = d.result_store, result_key = d.result_key,
          result_bytes = d.result_bytes, result_checksum = d.result_checksum, pages = d.pages, warnings = d.warnings,
          timings = d.timings, pdf_options = g.pdf_options - 'password'
        from document d
        where g.id = ${ids} and g.id = d.id and g.status = ${statusValues.running}::text and g.attempt_token = d.attempt_token
        returning g.*
      ), ${entries(ids, settlements.length)}${isMailed ? sql`, ${deliveries}` : sql``}${emitsEvents ? sql`, ${eventOutbox(successEvents())}` : sql``}
      select id from done`,
  );
  return rows.map(({ id }) => id);
}

const entries = (ids: SQL, count: number): SQL => sql`entry as (
    insert into ledger (account_id, generation_id, allowance_id, kind, units)
    select r.account_id, r.generation_id, r.allowance_id, 'settle', r.units
    from ledger r join done on r.generation_id = done.id where r.generation_id = ${ids} and r.kind = 'reserve'
    returning allowance_id, units
  )${count === 1 ? sql`` : lockedInOrder}, settled as (
    update allowances a set docs_held = a.docs_held - e.units, docs_settled = a.docs_settled + e.units
    from ${count === 1 ? sql`entry` : sql`locked`} e where a.id = e.allowance_id
    returning a.id, a.account_id, a.kind, a.docs, a.docs_settled, a.starts_at, a.ends_at
  )`;

const lockedInOrder = sql`, spent as (
    select allowance_id, sum(units)::int as units from entry group by allowance_id
  ), locked as (
    select s.allowance_id, s.units from allowances a join spent s on s.allowance_id = a.id
    order by a.kind desc, a.ends_at nulls last, a.id for no key update of a
  )`;

const deliveries = sql`delivery as (
    insert into deliveries (id, account_id, generation_id, status, message_id, recipients, created_at, next_attempt_at)
    select done.email ->> 'deliveryId', done.account_id, done.id, 'pending', done.email ->> 'deliveryId',
      (select jsonb_agg(jsonb_build_object('address', address, 'status', 'pending'))
        from jsonb_array_elements_text((done.email -> 'to') || (done.email -> 'cc') || (done.email -> 'bcc')) address),
      ${nowOr()}, ${nowOr()}
    from done where done.email is not null
  )`;

function toRow({ attempt, document }: Settlement): Record<string, unknown> {
  const { result, pages, warnings, timings, ttlSeconds } = document;
  return {
    id: attempt.id,
    attempt_token: attempt.attemptToken,
    ttl_seconds: ttlSeconds,
    result_store: result.store,
    result_key: result.key,
    result_bytes: result.sizeBytes,
    result_checksum: result.checksum,
    pages,
    warnings,
    timings,
  };
}
