import { and, eq, gt, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor, Transaction } from '../../db/client.ts';
import { columnList, isAnyIdOf, isOneOf, names, texts } from '../../db/column-names.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { type DocumentInclude, type EmailRequest, generations } from '../../db/schema/documents.ts';
import { execute, guarded, jsonText, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { RequestTrace } from '../../request-trace.ts';
import { budgetMonth } from '../api-keys/budget.ts';
import { type EmailLimits, tallyEmails } from '../deliveries/email-limits.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency-keys.ts';
import { openMonth } from '../quota/open-month.ts';
import { lockTemplate } from '../templates/find-template.ts';
import type { FailedRow } from './list-rows.ts';
import { reserveRows } from './reserve-rows.ts';

/** A failed row with the private data that was erased from its document. */
export interface RowRetry extends FailedRow {
  readonly email: EmailRequest | null;
  readonly password: string | null;
}

export interface RetryRequest {
  readonly batchId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** The trace of the retry, to which the new documents belong, rather than of the original request. */
  readonly trace?: RequestTrace | undefined;
  readonly rows: readonly RowRetry[];
  /** The service's e-mail limits; undefined to accept e-mails without counting them. */
  readonly emailLimits?: EmailLimits | undefined;
}

const chunkRows = 2_000;

/**
 * Creates new documents for failed rows of a finished batch and reopens it, in one transaction: all are reserved, or
 * none (`quota_exceeded`, `email_limit_exceeded`). Without rows, it only produces a missing bundle. Throws `conflict`
 * if the batch has not ended or its rows have changed. A repeated request with the same idempotency key changes
 * nothing.
 */
export async function retryRows(
  db: Executor,
  request: RetryRequest,
  key: Omit<IdempotencyClaim, 'resourceId'> | undefined,
): Promise<void> {
  const { accountId, keyId } = request;
  await openMonth(db, accountId);
  const rows = request.rows.map((row) => ({ ...row, newId: newId('doc') }));
  const emails = await tallyEmails(
    request.emailLimits,
    rows.map((row) => row.email),
  );
  await guarded(() =>
    inTransaction(db, async (tx) => {
      if (key !== undefined) {
        const resourceId = newId('bat');
        if ((await claimIdempotencyKey(tx, accountId, { ...key, resourceId })).resourceId !== resourceId) return;
      }
      const templateId = await reopen(tx, request);
      for (let from = 0; from < rows.length; from += chunkRows) {
        const chunk = rows.slice(from, from + chunkRows);
        await copyDocuments(tx, request, chunk);
        await replaceRows(tx, request.batchId, chunk);
      }
      if (rows.length === 0) return;
      await lockTemplate(tx, { accountId, templateId });
      for (const include of await includesOf(tx, rows[0]?.newId ?? ''))
        await lockTemplate(tx, { accountId, templateId: include.templateId });
      const documentIds = rows.map((row) => row.newId);
      await reserveRows(tx, { accountId, keyId, documentIds, failedIds: [], emails });
      // failpoint: retry-before-commit
    }),
  );
}

/** The batch's previous files become orphans, which the sweep removes. */
async function reopen(tx: Transaction, { batchId, accountId, rows }: RetryRequest): Promise<string> {
  const b = batches;
  const hasEnded = and(isOneOf(b.status, 'completed', 'cancelled', 'failed'), gt(b.expiresAt, sql`now()`));
  const [batch] = await run(
    tx,
    tx
      .update(batches)
      .set({
        status: 'accepted',
        startedAt: null,
        finishedAt: null,
        expiresAt: null,
        error: null,
        files: null,
        bundleToken: null,
        bundleAttempts: 0,
      })
      .where(and(eq(b.id, batchId), eq(b.accountId, accountId), hasEnded, rows.length > 0 ? undefined : lacksBundle))
      .returning({ templateId: b.templateId }),
  );
  if (batch === undefined) throw rows.length > 0 ? notRetryable() : nothingToRetry();
  // Otherwise rows that are about to be cancelled would be produced.
  const waiting = await run(
    tx,
    tx
      .select({ id: generations.id })
      .from(generations)
      .where(and(eq(generations.batchId, batchId), isOneOf(generations.status, 'queued')))
      .limit(1),
  );
  if (waiting.length > 0) throw stillEnding();
  return batch.templateId;
}

/** All rows of a batch include the same templates, so any document will do. */
async function includesOf(tx: Transaction, documentId: string): Promise<readonly DocumentInclude[]> {
  const { id, includes } = generations;
  const [row] = await run(tx, tx.select({ includes }).from(generations).where(eq(id, documentId)));
  return row?.includes ?? [];
}

const g = aliased(generations, 'g');
const r = aliased(batchRows, 'r');
const set = names(generations);
const setRow = names(batchRows);

/** True if a batch has documents but no bundle, because bundling failed or the batch was cancelled. */
const lacksBundle = sql`${batches.bundle} <> 'none' and ${batches.files} is null
  and exists (select 1 from ${generations} ${g} where ${g.batchId} = ${batches.id} and ${isOneOf(g.status, 'succeeded')}
    and ${g.erasedAt} is null)
  and (${batches.maxFailures} is null or ${batches.maxFailures} >= (
    select count(*) from ${generations} ${g} where ${g.batchId} = ${batches.id} and ${isOneOf(g.status, 'failed')}))`;

type Replacement = RowRetry & { readonly newId: string };

async function copyDocuments(
  tx: Transaction,
  { batchId, keyId, trace }: RetryRequest,
  rows: readonly Replacement[],
): Promise<void> {
  const values = (read: (row: Replacement) => string | null) => texts(rows.map(read));
  const to = generations;
  const columns = columnList(
    ...[to.id, to.accountId, to.templateId, to.templateVersion, to.templateObjectKey, to.templateChecksum, to.format],
    ...[to.filename, to.pdfOptions, to.renderOptions, to.email, to.batchId, to.isKept, to.status, to.dataChecksum],
    ...[to.documentDate, to.acceptedAt, to.apiKeyId, to.trace, to.budgetMonth, to.includes, to.approval],
  );
  const copied = await execute(
    tx,
    sql`with ${budgetMonth(keyId)}
      insert into ${generations} ${columns}
      select n.new_id, ${g.accountId}, ${g.templateId}, ${g.templateVersion}, ${g.templateObjectKey}, ${g.templateChecksum},
        ${g.format}, ${g.filename}, case when n.password is null or ${g.format} = 'docx' then ${g.pdfOptions}
          else coalesce(${g.pdfOptions}, '{}') || jsonb_build_object('password', n.password) end,
        case when n.password is null or ${g.format} = 'pdf' then ${g.renderOptions}
          else jsonb_set(${g.renderOptions}, '{docx,protection,password}', to_jsonb(n.password)) end, n.email::jsonb, ${g.batchId}, true, 'queued', ${g.dataChecksum}, ${g.documentDate},
        ${nowOr()}, ${keyId}, ${jsonText(trace === undefined ? null : { ...trace, batchId })}::jsonb,
        (select month from budget_month), ${g.includes}, ${g.approval}
      from unnest(${values((row) => row.newId)}, ${values((row) => row.documentId)},
        ${values((row) => jsonText(row.email))}, ${values((row) => row.password)})
        as n (new_id, old_id, email, password)
      join ${generations} ${g} on ${g.id} = n.old_id and ${g.batchId} = ${batchId} and ${isOneOf(g.status, 'failed')}
        and ${g.erasedAt} is null`,
  );
  if (copied !== rows.length) throw notRetryable();
}

/** Points the rows to their new documents. The failed documents remain, but no longer belong to the batch. */
async function replaceRows(tx: Transaction, batchId: string, rows: readonly Replacement[]): Promise<void> {
  const oldIds = rows.map((row) => row.documentId);
  const newIds = rows.map((row) => row.newId);
  await execute(
    tx,
    sql`with detached as (
        update ${generations} set ${set.batchId} = null where ${isAnyIdOf(generations.id, oldIds)}
      )
      update ${batchRows} ${r} set ${setRow.documentId} = n.new_id, ${setRow.dispatchedAt} = null
      from unnest(${texts(oldIds)}, ${texts(newIds)}) as n (old_id, new_id)
      where ${r.batchId} = ${batchId} and ${r.documentId} = n.old_id`,
  );
}

const nothingToRetry = (): AppError =>
  new AppError('conflict', 'The batch has no failed rows or missing bundle to retry, or has not ended yet');

const stillEnding = (): AppError =>
  new AppError('conflict', 'Rows of the batch are still being cancelled. Try again shortly.', { retryAfterSeconds: 5 });

const notRetryable = (): AppError =>
  new AppError('conflict', 'Only a batch that has ended and has not expired can be retried');
