import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import type { EmailRequest } from '../../db/schema/generations.ts';
import { guarded, json, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency/claim-key.ts';
import { openMonth } from '../quota/open-month.ts';
import type { FailedRow } from './find-failed-rows.ts';
import { requireTemplate } from './require-template.ts';
import { reserveRows } from './reserve-rows.ts';

/** A failed row, and what its document forgot when it failed. */
export interface RowRetry extends FailedRow {
  readonly email: EmailRequest | null;
  readonly password: string | null;
}

export interface RetryRequest {
  readonly batchId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly rows: readonly RowRetry[];
}

const chunkRows = 2_000;

/**
 * Orders new documents for failed rows of an ended batch and puts it to work again, in one transaction: all are reserved,
 * or none (`quota_exceeded`). Without rows only its bundle is made, when that is missing. `conflict` when the batch has not
 * ended, or its rows are not what they were any more. A repetition with the same idempotency key changes nothing.
 */
export async function retryRows(
  db: Database,
  order: RetryRequest,
  key: Omit<IdempotencyClaim, 'resourceId'> | undefined,
): Promise<void> {
  await openMonth(db, order.accountId);
  const rows = order.rows.map((row) => ({ ...row, newId: newId('doc') }));
  await guarded(() =>
    inTransaction(db, async (tx) => {
      if (key !== undefined) {
        const resourceId = newId('bat');
        if ((await claimIdempotencyKey(tx, order.accountId, { ...key, resourceId })).resourceId !== resourceId) return;
      }
      const templateId = await reopen(tx, order);
      for (let from = 0; from < rows.length; from += chunkRows) {
        const chunk = rows.slice(from, from + chunkRows);
        await orderAgain(tx, order, chunk);
        await replace(tx, order.batchId, chunk);
      }
      if (rows.length === 0) return;
      await requireTemplate(tx, { accountId: order.accountId, templateId });
      const generationIds = rows.map((row) => row.newId);
      await reserveRows(tx, { accountId: order.accountId, keyId: order.keyId, generationIds, failedIds: [] });
      // failpoint: retry-before-commit
    }),
  );
}

/** Its earlier files belong to nobody from now on; the sweep of stray objects removes them. */
async function reopen(tx: Transaction, { batchId, accountId, rows }: RetryRequest): Promise<string> {
  const [batch] = await run<{ template_id: string }>(
    tx,
    sql`update batches set status = 'accepted', started_at = null, finished_at = null, expires_at = null, error = null,
        files = null, bundle_token = null, bundle_attempts = 0
      where id = ${batchId} and account_id = ${accountId} and status in ('completed', 'cancelled', 'failed')
        and expires_at > now() and ${rows.length > 0 ? sql`true` : lacksBundle}
      returning template_id`,
  );
  if (batch === undefined) throw rows.length > 0 ? notRetryable() : nothingToRetry();
  // Rows that a cancellation has not reached yet would be made after all.
  const waiting = await run(
    tx,
    sql`select 1 from generations where batch_id = ${batchId} and status = 'queued' limit 1`,
  );
  if (waiting.length > 0) throw stillEnding();
  return batch.template_id;
}

/** It failed with the store, or was cancelled at the end: what was made can be bundled after all. */
const lacksBundle = sql`bundle <> 'none' and files is null
  and exists (select 1 from generations g where g.batch_id = batches.id and g.status = 'succeeded')
  and (max_failures is null or max_failures >= (
    select count(*) from generations g where g.batch_id = batches.id and g.status = 'failed'))`;

type Replacement = RowRetry & { readonly newId: string };

async function orderAgain(tx: Transaction, order: RetryRequest, rows: readonly Replacement[]): Promise<void> {
  const column = <T>(read: (row: Replacement) => T) => sql.param(rows.map(read));
  const ordered = await run(
    tx,
    sql`with budget as (
        select date_trunc('month', ${nowOr()} at time zone 'UTC')::date as month from api_keys
        where id = ${order.keyId} and docs_per_month is not null
      )
      insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format,
        filename, pdf_options, render_options, email, batch_id, is_kept, status, data_checksum, accepted_at, api_key_id,
        budget_month)
      select n.new_id, g.account_id, g.template_id, g.template_version, g.template_object_key, g.template_checksum, g.format,
        g.filename, case when n.password is null then g.pdf_options
          else coalesce(g.pdf_options, '{}') || jsonb_build_object('password', n.password) end,
        g.render_options, n.email::jsonb, g.batch_id, true, 'queued', g.data_checksum, ${nowOr()}, ${order.keyId},
        (select month from budget)
      from unnest(${column((row) => row.newId)}::text[], ${column((row) => row.generationId)}::text[],
        ${column((row) => json(row.email))}::text[], ${column((row) => row.password)}::text[])
        as n (new_id, old_id, email, password)
      join generations g on g.id = n.old_id and g.batch_id = ${order.batchId} and g.status = 'failed'
      returning id`,
  );
  if (ordered.length !== rows.length) throw notRetryable();
}

/** A row is its newest document; the failed one stays a job of its own, and counts in the batch no more. */
async function replace(tx: Transaction, batchId: string, rows: readonly Replacement[]): Promise<void> {
  const olds = sql.param(rows.map((row) => row.generationId));
  const news = sql.param(rows.map((row) => row.newId));
  await run(
    tx,
    sql`with left_behind as (update generations set batch_id = null where id = any(${olds}::text[]))
      update batch_rows r set generation_id = n.new_id, dispatched_at = null
      from unnest(${olds}::text[], ${news}::text[]) as n (old_id, new_id)
      where r.batch_id = ${batchId} and r.generation_id = n.old_id`,
  );
}

const nothingToRetry = (): AppError =>
  new AppError(
    'conflict',
    'The batch has no failed rows that can be retried and lacks no bundle, or has not ended yet',
  );

const stillEnding = (): AppError =>
  new AppError('conflict', 'Rows of the batch are still being cancelled. Try again shortly.', { retryAfterSeconds: 5 });

const notRetryable = (): AppError =>
  new AppError('conflict', 'Only a batch that has ended, and has not expired, can be retried');
