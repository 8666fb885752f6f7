import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { batches } from '../../db/schema/batches.ts';
import { execute, guarded, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { RequestTrace } from '../../request-trace.ts';
import {
  checkEmails,
  type EmailLimits,
  findEmailExcess,
  tallyEmails,
  tallyRecipients,
} from '../deliveries/email-limits.ts';
import { claimIdempotencyKey, findReplay, type IdempotencyClaim } from '../idempotency-keys.ts';
import { openMonth } from '../quota/open-month.ts';
import { lockTemplate } from '../templates/find-template.ts';
import type { BundleKind } from './find-batches.ts';
import { insertRows, type RowRequest, type SharedRowFields } from './insert-rows.ts';
import { planReservation, reserveRows } from './reserve-rows.ts';

export interface BatchRequest extends SharedRowFields {
  readonly bundle: BundleKind;
  /** Without extension. */
  readonly bundleName: string;
  readonly maxFailures: number | undefined;
  readonly callbackUrl: string | undefined;
  readonly emailBody: string | undefined;
  /** The service's e-mail limits; undefined to accept e-mails without counting them. */
  readonly emailLimits?: EmailLimits | undefined;
  readonly trace?: RequestTrace | undefined;
  readonly inputKey: string;
  readonly inputBytes: number;
}

export interface BatchAcceptance {
  readonly id: string;
  readonly isReplay: boolean;
}

/**
 * Accepts a whole batch in one transaction: its rows, its quota (all of it, or `quota_exceeded`), its e-mails (all, or
 * `email_limit_exceeded`), and the idempotency key if there is one. The slow steps come first and take no locks that
 * other requests need; the key, the template and the allowances are locked last. A repeated request returns the batch
 * of the first.
 */
export async function acceptBatch(
  db: Database,
  request: BatchRequest,
  rows: readonly RowRequest[],
  key: Omit<IdempotencyClaim, 'resourceId'> | undefined,
): Promise<BatchAcceptance> {
  const { accountId, keyId, batchId } = request;
  await openMonth(db, accountId);
  const recipients = rows.map((row) => row.email);
  const excess = await findEmailExcess(db, accountId, tallyRecipients(request.emailLimits, recipients));
  const emails = excess === undefined ? await tallyEmails(request.emailLimits, recipients) : undefined;
  return guarded(() =>
    inTransaction(db, async (tx) => {
      // Spares a repeated request the writes. Among concurrent requests, claiming the key decides.
      const replayed = key && (await findReplay(tx, accountId, key));
      if (replayed !== undefined) return { id: replayed, isReplay: true };
      const documentIds = rows.filter((row) => row.error === undefined).map((row) => row.documentId);
      // Both fail before anything is written if the quota or a limit does not suffice.
      await planReservation(tx, accountId, { units: documentIds.length, isLocking: false });
      if (excess !== undefined) throw excess;
      await checkEmails(tx, accountId, emails);
      await insertBatch(tx, request, rows.length);
      await insertRows(tx, request, rows);
      const holder = key && (await claimIdempotencyKey(tx, accountId, { ...key, resourceId: batchId }));
      if (holder !== undefined && holder.resourceId !== batchId) {
        await execute(tx, sql`rollback to savepoint unwritten`);
        return { id: holder.resourceId, isReplay: true };
      }
      await lockTemplate(tx, request);
      for (const { templateId } of request.includes) await lockTemplate(tx, { accountId, templateId });
      const failedIds = rows.filter((row) => row.error !== undefined).map((row) => row.documentId);
      await reserveRows(tx, { accountId, keyId, documentIds, failedIds, emails });
      // failpoint: batch-before-commit
      return { id: batchId, isReplay: false };
    }),
  );
}

async function insertBatch(tx: Transaction, request: BatchRequest, rows: number): Promise<void> {
  const { batchId, accountId, templateId, templateVersion, format, bundle, bundleName } = request;
  const { maxFailures, callbackUrl, emailBody, inputKey, inputBytes } = request;
  await execute(tx, sql`savepoint unwritten`);
  await run(
    tx,
    tx.insert(batches).values({
      id: batchId,
      accountId,
      templateId,
      templateVersion,
      format,
      bundle,
      bundleName,
      rows,
      inputKey,
      inputBytes,
      status: 'accepted',
      maxFailures: maxFailures ?? null,
      callbackUrl: callbackUrl ?? null,
      trace: request.trace ?? null,
      emailBody: emailBody ?? null,
      acceptedAt: nowOr(),
    }),
  );
}
