import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { boundsOf, columnList, type IdBounds, isAnyIdOf, isOneOf, names } from '../../db/column-names.ts';
import { fixedStatement } from '../../db/fixed-statement.ts';
import { rowOf } from '../../db/row.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { type DocumentService, generations } from '../../db/schema/documents.ts';
import { allowances, ledger } from '../../db/schema/quota.ts';
import { limitedWait, nowOr, query } from '../../db/statement.ts';
import { successEvents } from '../webhooks/event-data.ts';
import { type EventPrefixes, eventOutbox, newEventPrefixes } from '../webhooks/event-outbox.ts';
import type {
  DocumentConformance,
  DocumentEngine,
  DocumentTimings,
  DocumentWarning,
  ResultLocation,
} from './document-record.ts';
import { withoutPasswords } from './erase-passwords.ts';

export interface FinishedDocument {
  readonly result: ResultLocation;
  readonly pages: number | null;
  /** Null for a .docx. */
  readonly engine: DocumentEngine | null;
  /** The release that produced it. */
  readonly service?: DocumentService | undefined;
  readonly warnings: readonly DocumentWarning[];
  readonly conformance?: DocumentConformance | undefined;
  readonly timings: DocumentTimings;
  readonly ttlSeconds: number;
}

/** If `emitsEvents` is false, no events are written; most accounts have no webhooks. */
export interface EndedAttempt {
  readonly id: string;
  readonly attemptToken: string;
  readonly emitsEvents?: boolean | undefined;
  readonly isMailed?: boolean | undefined;
}

export interface Settlement {
  readonly attempt: EndedAttempt;
  readonly document: FinishedDocument;
}

const doneRow = rowOf({ id: generations.id });
const g = aliased(generations, 'g');
const a = aliased(allowances, 'a');
const r = aliased(ledger, 'r');
/** The finished rows, as the first common table expression returns them. */
const done = aliased(generations, 'done');
const set = names(generations);
const erased = withoutPasswords(g);
const allowance = names(allowances);
const entry = names(ledger);

/**
 * Finishes the rows of these attempts, settles their reservations, and writes their e-mails and events, in one
 * statement for any number of accounts. Returns the ids that it finished, without attempts that were fenced or had
 * already finished. Locks documents by id and allowances in the order of their accounts and use, as accepting documents
 * and batches does, to avoid deadlocks. Fails if an allowance stays locked for `maxLockWaitMs`.
 */
export async function settleDocuments(
  db: Executor,
  settlements: readonly Settlement[],
  maxLockWaitMs?: number,
): Promise<readonly string[]> {
  const sorted = settlements.toSorted((one, other) => (one.attempt.id < other.attempt.id ? -1 : 1));
  const ids = sorted.map(({ attempt }) => attempt.id);
  const emitsEvents = settlements.some(({ attempt }) => attempt.emitsEvents !== false);
  const isMailed = settlements.some(({ attempt }) => attempt.isMailed !== false);
  const lockWait = maxLockWaitMs === undefined ? null : `${maxLockWaitMs}ms`;
  const documents = JSON.stringify(sorted.map(toJson));
  const values = { documents, ids, lockWait, ...boundsOf(ids), ...newEventPrefixes() };
  const rows = await query(db, doneRow, statementOf({ isSingle: ids.length === 1, isMailed, emitsEvents })(values));
  return rows.map(({ id }) => id);
}

interface SettlementShape {
  /** A single document: locking its allowance needs no order. */
  readonly isSingle: boolean;
  readonly isMailed: boolean;
  readonly emitsEvents: boolean;
}

interface SettlementValues extends IdBounds<string>, EventPrefixes<string>, Record<string, unknown> {
  readonly documents: string;
  readonly ids: readonly string[];
  readonly lockWait: string | null;
}

type Parameters = Readonly<
  Record<'documents' | 'ids' | 'lockWait' | 'lowest' | 'highest' | 'eventPrefix' | 'deliveryPrefix', SQL>
>;

const fixed = (shape: SettlementShape) => fixedStatement<SettlementValues>((values) => settlement(shape, values));
const statements = new Map<number, ReturnType<typeof fixed>>();

function statementOf(shape: SettlementShape): ReturnType<typeof fixed> {
  const { isSingle, isMailed, emitsEvents } = shape;
  const key = Number(isSingle) + 2 * Number(isMailed) + 4 * Number(emitsEvents);
  const known = statements.get(key) ?? fixed(shape);
  statements.set(key, known);
  return known;
}

function settlement(
  { isSingle, isMailed, emitsEvents }: SettlementShape,
  { documents, ids, lockWait, lowest, highest, eventPrefix, deliveryPrefix }: Parameters,
): SQL {
  const events = emitsEvents ? sql`, ${eventOutbox(successEvents(), { eventPrefix, deliveryPrefix })}` : sql``;
  return sql`with document as (
        select * from json_to_recordset(${documents}::json) as d (id text, attempt_token text,
          ttl_seconds float, result_store text, result_key text, result_bytes int, result_checksum text, pages int,
          warnings jsonb, timings jsonb, engine jsonb, service jsonb, conformance jsonb)
      ), done as (
        update ${generations} ${g} set ${set.status} = 'succeeded', ${set.finishedAt} = now(),
          ${set.expiresAt} = ${nowOr()} + make_interval(secs => d.ttl_seconds), ${set.resultStore} = d.result_store,
          ${set.resultKey} = d.result_key, ${set.resultBytes} = d.result_bytes, ${set.resultChecksum} = d.result_checksum,
          ${set.pages} = d.pages, ${set.warnings} = d.warnings, ${set.timings} = d.timings,
          ${set.engine} = d.engine, ${set.service} = d.service, ${set.conformance} = d.conformance,
          ${set.pdfOptions} = ${erased.pdfOptions}, ${set.renderOptions} = ${erased.renderOptions}
        from document d
        where ${isAnyIdOf(g.id, ids, { lowest, highest })} and ${g.id} = d.id and ${g.status} = ${'running'}::text
          and ${g.attemptToken} = d.attempt_token
        returning ${g}.*
      ), ${entries(ids, { lowest, highest }, limitedWait(lockWait), isSingle)}${isMailed ? sql`, ${newDeliveries}` : sql``}${events}
      select ${set.id} from done`;
}

const entries = (ids: SQL, bounds: IdBounds<SQL>, wait: SQL, isSingle: boolean): SQL => sql`entry as (
    insert into ${ledger} ${columnList(ledger.accountId, ledger.documentId, ledger.allowanceId, ledger.kind, ledger.units)}
    select ${r.accountId}, ${r.documentId}, ${r.allowanceId}, 'settle', ${r.units}
    from ${ledger} ${r} join done on ${r.documentId} = ${done.id}
    where ${isAnyIdOf(r.documentId, ids, bounds)} and ${isOneOf(r.kind, 'reserve')}
    returning ${ledger.allowanceId}, ${ledger.units}
  )${isSingle ? sql`` : lockedInOrder(wait)}, settled as (
    update ${allowances} ${a} set ${allowance.docsHeld} = ${a.docsHeld} - e.${entry.units},
      ${allowance.docsSettled} = ${a.docsSettled} + e.${entry.units}
    from ${isSingle ? sql`(select entry.* from entry, ${wait} where wait.lock is not null)` : sql`locked`} e where ${a.id} = e.${entry.allowanceId}
    returning ${a.id}, ${a.accountId}, ${a.kind}, ${a.docs}, ${a.docsSettled}, ${a.startsAt}, ${a.endsAt}
  )`;

const lockedInOrder = (wait: SQL): SQL => sql`, spent as (
    select ${entry.allowanceId}, sum(${entry.units})::int as ${entry.units} from entry, ${wait}
    where wait.lock is not null group by ${entry.allowanceId}
  ), locked as (
    select s.${entry.allowanceId}, s.${entry.units} from ${allowances} ${a} join spent s on s.${entry.allowanceId} = ${a.id}
    order by ${a.accountId}, ${a.kind} desc, ${a.endsAt} nulls last, ${a.id} for no key update of a
  )`;

const addressees = sql`(${done.email} -> 'to') || (${done.email} -> 'cc') || (${done.email} -> 'bcc')`;
const deliveryColumns = columnList(
  ...[deliveries.id, deliveries.accountId, deliveries.documentId, deliveries.status, deliveries.messageId],
  ...[
    deliveries.recipients,
    deliveries.createdAt,
    deliveries.nextAttemptAt,
    deliveries.finishedAt,
    deliveries.lastReply,
  ],
);

/** A test key must not reach recipients, so the delivery of a test document is written in its final state. */
const firstStatus = sql`case when ${done.isTest} then 'skipped' else 'pending' end`;
const skippedReply = 'not sent: the document was requested with a test key';

const newDeliveries = sql`delivery as (
    insert into ${deliveries} ${deliveryColumns}
    select ${done.email} ->> 'deliveryId', ${done.accountId}, ${done.id}, ${firstStatus}, ${done.email} ->> 'deliveryId',
      (select jsonb_agg(jsonb_build_object('address', address, 'status', ${firstStatus}))
        from jsonb_array_elements_text(${addressees}) address),
      ${nowOr()}, ${nowOr()}, case when ${done.isTest} then ${nowOr()} end,
      case when ${done.isTest} then ${sql.raw(`'${skippedReply}'`)} end
    from done where ${done.email} is not null
  )`;

function toJson({ attempt, document }: Settlement): Record<string, unknown> {
  const { result, pages, engine, warnings, conformance, timings, ttlSeconds } = document;
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
    engine,
    service: document.service ?? null,
    conformance,
  };
}
