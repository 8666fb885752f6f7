import { and, eq, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf, names } from '../../db/column-names.ts';
import { bool, rowOf } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { allowances, ledger } from '../../db/schema/quota.ts';
import { jsonbValue, query } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import { returnBudget } from '../api-keys/budget.ts';
import { failureEvents } from '../webhooks/event-data.ts';
import { eventOutbox } from '../webhooks/event-outbox.ts';
import { isUnfinished } from './claim-document.ts';
import { withoutPasswords } from './erase-passwords.ts';
import type { EndedAttempt } from './settle-documents.ts';

const { id, accountId, status, attempts, attemptToken } = generations;

/**
 * Ends the attempt's row as failed, releases its reservation and writes its event, in one statement. False, without any
 * change, if the attempt was fenced or the row has finished.
 */
export function failDocument(db: Executor, attempt: EndedAttempt, error: ErrorRecord): Promise<boolean> {
  const isHeld = and(isOneOf(status, 'running'), eq(attemptToken, attempt.attemptToken));
  return end(db, { id: attempt.id, status: 'failed', error }, isHeld, attempt.emitsEvents);
}

/** Like `failDocument`, for a document that no worker holds because its job or its data is lost. */
export function abandonDocument(
  db: Executor,
  seen: { readonly id: string; readonly attempts: number },
  error: ErrorRecord,
): Promise<boolean> {
  return end(db, { id: seen.id, status: 'failed', error }, and(isUnfinished, eq(attempts, seen.attempts)), true);
}

/** Ends a document at its owner's request and releases its reservation. False if it has already ended. */
export function cancelDocument(db: Executor, owner: string, documentId: string): Promise<boolean> {
  const error: ErrorRecord = { code: 'conflict', message: 'The job was cancelled' };
  return end(db, { id: documentId, status: 'cancelled', error }, and(isUnfinished, eq(accountId, owner)), false);
}

interface Ending {
  readonly id: string;
  readonly status: 'failed' | 'cancelled';
  readonly error: ErrorRecord;
}

const endRow = rowOf({ is_done: bool });
const set = names(generations);
const erased = withoutPasswords(generations);
const a = aliased(allowances, 'a');
const allowance = names(allowances);

async function end(db: Executor, ending: Ending, condition: SQL | undefined, emitsEvents = true): Promise<boolean> {
  const [row] = await query(
    db,
    endRow,
    sql`with done as (
        update ${generations} set ${set.status} = ${ending.status}, ${set.finishedAt} = now(),
          ${set.error} = ${jsonbValue(ending.error)}, ${set.email} = null,
          ${set.pdfOptions} = ${erased.pdfOptions}, ${set.renderOptions} = ${erased.renderOptions}
        where ${id} = ${ending.id} and ${condition} returning *
      ), ${reverseEntries('reserve', 'release', ending.id)}, released as (
        update ${allowances} ${a} set ${allowance.docsHeld} = ${a.docsHeld} - entry.units from entry
        where ${a.id} = entry.allowance_id returning 1
      ), ${returnBudget(sql`done`, sql`released`)}${emitsEvents ? sql`, ${eventOutbox(failureEvents(ending.error))}` : sql``}
      select exists (select 1 from done) as is_done`,
  );
  return row?.is_done === true;
}

const r = aliased(ledger, 'r');

/**
 * The common table expression `entry`: ledger entries of kind `to` that reverse the entries of kind `from` of the
 * documents in `done`. Returns `allowance_id` and `units`. For a single document, pass its id, so that PostgreSQL opens
 * only one partition.
 */
export function reverseEntries(from: 'reserve' | 'settle', to: 'release' | 'refund', onlyId?: string): SQL {
  const isOnly = onlyId === undefined ? sql`` : sql` and ${r.documentId} = ${onlyId}`;
  return sql`entry as (
      insert into ${ledger} ${columnList(ledger.accountId, ledger.documentId, ledger.allowanceId, ledger.kind, ledger.units)}
      select ${r.accountId}, ${r.documentId}, ${r.allowanceId}, ${sql.raw(`'${to}'`)}, ${r.units}
      from ${ledger} ${r} join done on ${r.documentId} = done.${set.id} where ${isOneOf(r.kind, from)}${isOnly}
      returning ${ledger.allowanceId} as allowance_id, ${ledger.units} as units
    )`;
}

/**
 * Refunds a finished document whose file was lost before its caller received it. Happens once per document, and never
 * if the file is kept or was e-mailed. False if there was nothing to refund.
 */
export async function refundDocument(db: Executor, documentId: string): Promise<boolean> {
  const { refundedAt, resultStore } = generations;
  const [row] = await query(
    db,
    endRow,
    sql`with done as (
        update ${generations} set ${set.refundedAt} = now(), ${set.resultStore} = null, ${set.resultKey} = null
        where ${id} = ${documentId} and ${isOneOf(status, 'succeeded')} and ${refundedAt} is null
          and ${isOneOf(resultStore, 'redis')}
        returning ${id}, ${generations.apiKeyId}, ${generations.budgetMonth}
      ), ${reverseEntries('settle', 'refund', documentId)}, refunded as (
        update ${allowances} ${a} set ${allowance.docsSettled} = ${a.docsSettled} - entry.units from entry
        where ${a.id} = entry.allowance_id returning 1
      ), ${returnBudget(sql`done`, sql`refunded`)}
      select exists (select 1 from done) as is_done`,
  );
  return row?.is_done === true;
}
