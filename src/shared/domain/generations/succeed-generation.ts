import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { moment, run } from '../../db/statement.ts';
import { successEvents } from '../webhooks/document-events.ts';
import { eventOutbox } from '../webhooks/emit-event.ts';
import type { GenerationTimings, GenerationWarning, ResultLocation } from './generation-record.ts';

export interface FinishedDocument {
  readonly result: ResultLocation;
  readonly pages: number | null;
  readonly warnings: readonly GenerationWarning[];
  readonly timings: GenerationTimings;
  readonly ttlSeconds: number;
}

/** An attempt that was not watched when it was claimed writes no events: most accounts have no webhooks. */
export interface EndedAttempt {
  readonly id: string;
  readonly attemptToken: string;
  readonly isWatched?: boolean | undefined;
}

/**
 * Finishes the row, settles its reservation and writes its e-mail and its events into the outbox, in one statement. True
 * also when this very attempt did so before (a commit whose answer was lost). False when the attempt was fenced: nothing
 * is changed then, and nothing may be told to anyone.
 */
export async function succeedGeneration(
  db: Executor,
  attempt: EndedAttempt,
  document: FinishedDocument,
): Promise<boolean> {
  const { result } = document;
  const [row] = await run<{ is_done: boolean }>(
    db,
    sql`with done as (
        update generations set status = 'succeeded', finished_at = now(),
          expires_at = now() + make_interval(secs => ${document.ttlSeconds}), result_store = ${result.store},
          result_key = ${result.key}, result_bytes = ${result.sizeBytes}, result_checksum = ${result.checksum},
          pages = ${document.pages}, warnings = ${JSON.stringify(document.warnings)}::jsonb,
          timings = ${JSON.stringify(document.timings)}::jsonb, pdf_options = pdf_options - 'password'
        where id = ${attempt.id} and status = 'running' and attempt_token = ${attempt.attemptToken}
        returning *
      ), entry as (
        insert into ledger (account_id, generation_id, allowance_id, kind, units)
        select r.account_id, r.generation_id, r.allowance_id, 'settle', r.units
        from ledger r join done on r.generation_id = done.id where r.kind = 'reserve'
        returning allowance_id, units
      ), settled as (
        update allowances a set docs_held = a.docs_held - entry.units, docs_settled = a.docs_settled + entry.units
        from entry where a.id = entry.allowance_id
        returning a.id, a.account_id, a.kind, a.docs, a.docs_settled, a.starts_at, a.ends_at
      ), delivery as (
        insert into deliveries (id, account_id, generation_id, status, message_id, recipients, created_at, next_attempt_at)
        select done.email ->> 'deliveryId', done.account_id, done.id, 'pending', done.email ->> 'deliveryId',
          (select jsonb_agg(jsonb_build_object('address', address, 'status', 'pending'))
            from jsonb_array_elements_text((done.email -> 'to') || (done.email -> 'cc') || (done.email -> 'bcc')) address),
          ${moment()}, ${moment()}
        from done where done.email is not null
      )${attempt.isWatched === false ? sql`` : sql`, ${eventOutbox(successEvents())}`}
      select exists (select 1 from done) as is_done`,
  );
  return row?.is_done === true || (await hasSucceeded(db, attempt));
}

// A statement of its own: the one above, when it waited for its twin, does not see what that has committed.
async function hasSucceeded(
  db: Executor,
  attempt: { readonly id: string; readonly attemptToken: string },
): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from generations
      where id = ${attempt.id} and status = 'succeeded' and attempt_token = ${attempt.attemptToken}`,
  );
  return rows.length === 1;
}
