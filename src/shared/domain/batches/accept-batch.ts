import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { guarded, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency/claim-key.ts';
import { openMonth } from '../quota/open-month.ts';
import type { BundleKind } from './batch-record.ts';
import { insertRows, type RowRequest, type SharedRowFields } from './insert-rows.ts';
import { planReservation } from './plan-reservation.ts';
import { requireTemplate } from './require-template.ts';
import { reserveRows } from './reserve-rows.ts';

export interface BatchRequest extends SharedRowFields {
  readonly bundle: BundleKind;
  /** Without extension. */
  readonly bundleName: string;
  readonly maxFailures: number | undefined;
  readonly callbackUrl: string | undefined;
  readonly emailBody: string | undefined;
  readonly inputKey: string;
  readonly inputBytes: number;
}

export interface BatchAcceptance {
  readonly id: string;
  readonly isReplay: boolean;
}

/**
 * Accepts a whole batch in one transaction: its rows, its quota (all or `quota_exceeded`), and the idempotency key when
 * there is one. What is slow comes first and locks nothing that others want; the key, the template and the allowances come
 * last. A repetition answers the batch of the first request.
 */
export async function acceptBatch(
  db: Database,
  order: BatchRequest,
  rows: readonly RowRequest[],
  key: Omit<IdempotencyClaim, 'resourceId'> | undefined,
): Promise<BatchAcceptance> {
  await openMonth(db, order.accountId);
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const before = key === undefined ? undefined : await findReplay(tx, order.accountId, key);
      if (before !== undefined) return { id: before, isReplay: true };
      const generationIds = rows.filter((row) => row.error === undefined).map((row) => row.generationId);
      // What cannot be paid is not written first.
      await planReservation(tx, order.accountId, { units: generationIds.length, isLocking: false });
      await insertBatch(tx, order, rows.length);
      await insertRows(tx, order, rows);
      const holder = key && (await claimIdempotencyKey(tx, order.accountId, { ...key, resourceId: order.batchId }));
      if (holder !== undefined && holder.resourceId !== order.batchId) {
        await run(tx, sql`rollback to savepoint unwritten`);
        return { id: holder.resourceId, isReplay: true };
      }
      await requireTemplate(tx, order);
      await reserveRows(tx, {
        accountId: order.accountId,
        keyId: order.keyId,
        generationIds,
        failedIds: rows.filter((row) => row.error !== undefined).map((row) => row.generationId),
      });
      // failpoint: batch-before-commit
      return { id: order.batchId, isReplay: false };
    }),
  );
}

/** Spares a plain repetition the writing; of parallel ones, the claim of the key decides. */
async function findReplay(
  tx: Transaction,
  accountId: string,
  { key, operation, requestHash }: Omit<IdempotencyClaim, 'resourceId'>,
): Promise<string | undefined> {
  const [held] = await run<{ resource_id: string }>(
    tx,
    sql`select resource_id from idempotency_keys where account_id = ${accountId} and key = ${key}
      and operation = ${operation} and request_hash = ${requestHash} and expires_at > now()`,
  );
  return held?.resource_id;
}

async function insertBatch(tx: Transaction, order: BatchRequest, rows: number): Promise<void> {
  await run(tx, sql`savepoint unwritten`);
  await run(
    tx,
    sql`insert into batches (id, account_id, template_id, template_version, format, bundle, bundle_name, status, rows,
        max_failures, callback_url, email_body, input_key, input_bytes, accepted_at)
      values (${order.batchId}, ${order.accountId}, ${order.templateId}, ${order.templateVersion}, ${order.format},
        ${order.bundle}, ${order.bundleName}, 'accepted', ${rows}, ${order.maxFailures ?? null}::int,
        ${order.callbackUrl ?? null}::text, ${order.emailBody ?? null}::text, ${order.inputKey}, ${order.inputBytes}, ${nowOr()})`,
  );
}
