import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import { returnBudget } from '../api-keys/spend-budget.ts';
import { failureEvents } from '../webhooks/document-events.ts';
import { eventOutbox } from '../webhooks/emit-event.ts';
import type { EndedAttempt } from './ended-attempt.ts';

/**
 * Ends the attempt's row as failed, gives its reservation back and writes its event, in one statement. False when the
 * attempt was fenced or the row is finished already: nothing is changed then.
 */
export async function failGeneration(db: Executor, attempt: EndedAttempt, error: ErrorRecord): Promise<boolean> {
  const isOwn = sql`status = 'running' and attempt_token = ${attempt.attemptToken}`;
  return end(db, attempt.id, 'failed', error, isOwn, attempt.emitsEvents);
}

/** As `failGeneration`, for a document that no worker holds: its job or its data is lost. */
export async function abandonGeneration(
  db: Executor,
  seen: { readonly id: string; readonly attempts: number },
  error: ErrorRecord,
): Promise<boolean> {
  return end(db, seen.id, 'failed', error, sql`status in ('queued', 'running') and attempts = ${seen.attempts}`);
}

/** Ends a document at its owner's wish and gives its reservation back; false when it has ended already. */
export async function cancelGeneration(db: Executor, accountId: string, id: string): Promise<boolean> {
  const error: ErrorRecord = { code: 'conflict', message: 'The job was cancelled' };
  return end(db, id, 'cancelled', error, sql`status in ('queued', 'running') and account_id = ${accountId}`);
}

async function end(
  db: Executor,
  id: string,
  status: 'failed' | 'cancelled',
  error: ErrorRecord,
  condition: SQL,
  emitsEvents = status === 'failed',
): Promise<boolean> {
  const [row] = await run<{ is_done: boolean }>(
    db,
    sql`with done as (
        update generations set status = ${status}, finished_at = now(), error = ${JSON.stringify(error)}::jsonb, email = null,
          pdf_options = pdf_options - 'password'
        where id = ${id} and ${condition} returning *
      ), entry as (
        insert into ledger (account_id, generation_id, allowance_id, kind, units)
        select r.account_id, r.generation_id, r.allowance_id, 'release', r.units
        from ledger r join done on r.generation_id = done.id where r.kind = 'reserve'
        returning allowance_id, units
      ), released as (
        update allowances a set docs_held = a.docs_held - entry.units from entry where a.id = entry.allowance_id returning 1
      ), ${returnBudget(sql`done`, sql`released`)}${emitsEvents ? sql`, ${eventOutbox(failureEvents(error))}` : sql``}
      select exists (select 1 from done) as is_done`,
  );
  return row?.is_done === true;
}
