import type { Executor } from '../../shared/db/client.ts';
import { type BatchRecord, batchNotFound, findBatches } from '../../shared/domain/batches/find-batches.ts';
import type { FailedRow } from '../../shared/domain/batches/list-rows.ts';
import { retryRows } from '../../shared/domain/batches/retry-rows.ts';
import { findDeliveryOwner } from '../../shared/domain/deliveries/find-delivery.ts';
import { resendDelivery } from '../../shared/domain/deliveries/resend-delivery.ts';
import { type DocumentOrigin, findOrigin } from '../../shared/domain/documents/find-origin.ts';
import { AppError } from '../../shared/errors.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { findRetries } from './find-retries.ts';

export interface RetryDeps {
  readonly db: Executor;
  /** Calls `work` with the object store. Only rows that are retried need it, so a refusal does without. */
  readonly withObjects: <Result>(work: (objects: ObjectStore) => Promise<Result>) => Promise<Result>;
}

/** The outcome of a retry: what was queued again, or why nothing was. */
export type Retry =
  | { readonly outcome: 'queued'; readonly documents?: number; readonly [id: `${string}Id`]: string }
  | { readonly outcome: 'refused'; readonly reason: string; readonly [id: `${string}Id`]: string };

/** Makes a delivery due again; the workers' sweep queues it. */
export async function retryDelivery({ db }: Pick<RetryDeps, 'db'>, deliveryId: string): Promise<Retry> {
  const accountId = await findDeliveryOwner(db, deliveryId);
  return await orRefused({ deliveryId }, async () => {
    // Account limits do not apply to the operator.
    await resendDelivery(db, accountId, deliveryId, undefined);
    return { outcome: 'queued', deliveryId };
  });
}

export async function retryBatch(deps: RetryDeps, batchId: string): Promise<Retry> {
  const { db } = deps;
  const [batch] = await findBatches(db, [batchId]);
  if (batch === undefined) throw batchNotFound();
  return await orRefused({ batchId }, async () => {
    const documents = await retryFailed(deps, batch);
    return { outcome: 'queued', batchId, documents };
  });
}

/** Retries a failed row of a batch; other documents do not keep their data after a failure. */
export async function retryDocument(deps: RetryDeps, documentId: string): Promise<Retry> {
  const { db } = deps;
  const document = await findOrigin(db, documentId);
  const reason = whyNot(document);
  if (reason !== undefined) return { outcome: 'refused', documentId, reason };
  const [batch] = document.batchId === null ? [] : await findBatches(db, [document.batchId]);
  if (batch === undefined) return { outcome: 'refused', documentId, reason: reasons.dataErased };
  return await orRefused({ documentId }, async () => {
    const documents = await retryFailed(deps, batch, documentId);
    return { outcome: 'queued', documentId, batchId: batch.id, documents };
  });
}

const reasons = {
  dataErased:
    'The data of a single document is erased when it ends, and it was not charged. Its client must send the request again',
  succeeded: 'The document was produced and charged. Its client can fetch it, or request a new one',
  cancelled: 'The owner cancelled the document',
  unfinished: 'The document has not ended. The sweep queues it again if its job is lost',
  noRow: 'The row was retried before, or never had valid data',
} as const;

function whyNot({ status }: DocumentOrigin): string | undefined {
  switch (status) {
    case 'succeeded':
      return reasons.succeeded;
    case 'cancelled':
      return reasons.cancelled;
    case 'queued':
    case 'running':
      return reasons.unfinished;
    case 'failed':
      return undefined;
  }
}

/**
 * Creates new documents for the failed rows of a batch, or for one of them. Reserves quota for all or none, like a
 * client's retry. Returns their number.
 */
async function retryFailed({ db, withObjects }: RetryDeps, batch: BatchRecord, documentId?: string): Promise<number> {
  const { id: batchId, accountId, inputKey } = batch;
  if (batch.finishedAt === undefined)
    throw new AppError('conflict', 'The batch has not ended yet. Wait until it has, or cancel it.');
  const isWanted = (row: FailedRow): boolean => documentId === undefined || row.documentId === documentId;
  const rows = await withObjects((objects) => findRetries({ db, objects }, { id: batchId, inputKey }, isWanted));
  if (documentId !== undefined && rows.length === 0) throw new AppError('conflict', reasons.noRow);
  const [first] = rows;
  // Without failed rows, only a missing bundle is built and no key is charged.
  const keyId = first === undefined ? '' : (await findOrigin(db, first.documentId)).keyId;
  if (keyId === null)
    throw new AppError('conflict', 'The key that requested the batch is unknown: its rows must be sent in a new batch');
  await retryRows(db, { batchId, accountId, keyId, trace: batch.trace, rows }, undefined);
  return rows.length;
}

async function orRefused(ids: { readonly [id: `${string}Id`]: string }, retry: () => Promise<Retry>): Promise<Retry> {
  try {
    return await retry();
  } catch (error) {
    const isRefusal = error instanceof AppError && !error.retry;
    if (!isRefusal) throw error;
    return { outcome: 'refused', ...ids, reason: error.message };
  }
}
