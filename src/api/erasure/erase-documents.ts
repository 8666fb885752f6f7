import { setTimeout as delay } from 'node:timers/promises';
import { queueOf } from '../../shared/domain/documents/document-record.ts';
import { fingerprintOf } from '../../shared/domain/documents/fingerprint.ts';
import { beginErasure, endErasure } from '../../shared/domain/erasure/pending-erasures.ts';
import {
  findFingerprints,
  forgetEvidence,
  removeEventsOf,
  scrubDocuments,
} from '../../shared/domain/erasure/scrub-documents.ts';
import {
  type ErasedDocument,
  findBatchParts,
  findErased,
  forgetFiles,
  isCompleting,
  stopDocuments,
} from '../../shared/domain/erasure/stop-documents.ts';
import { AppError } from '../../shared/errors.ts';
import { rowJobId } from '../../shared/queue/row-job-id.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { blankRows } from './blank-rows.ts';
import { emptyEventStreams, eraseTransient } from './erase-from-redis.ts';
import type { Stores } from './stores.ts';

const documentsAtOnce = 50;
const waitMs = 180_000;
const pollMs = 500;

/**
 * Erases documents: cancels unfinished ones, waits for those that cannot be cancelled, removes their files, data and
 * webhooks, and finally scrubs their rows. Every step is idempotent; after a crash, `resumeErasures` completes it.
 * Returns the number of documents.
 */
export async function eraseDocuments(stores: Stores, ids: readonly string[]): Promise<number> {
  // Records the erasure first, so that it can be resumed after a crash.
  await beginErasure(stores.db, ids);
  let erased = 0;
  for (let from = 0; from < ids.length; from += documentsAtOnce)
    erased += await eraseSome(stores, ids.slice(from, from + documentsAtOnce));
  if (erased > 0) await emptyEventStreams(stores);
  return erased;
}

async function eraseSome(stores: Stores, wanted: readonly string[]): Promise<number> {
  const { db, objects } = stores;
  const documents = await stopAndForget(stores, wanted);
  const ids = documents.map(({ id }) => id);
  if (ids.length === 0) {
    await endErasure(db, wanted);
    return 0;
  }
  for (const { id, accountId } of documents) await removeUnder(objects, `results/${accountId}/${id}/`);
  // failpoint: erasure-results-removed
  await eraseEvidence(stores, documents);
  for (const part of await findBatchParts(db, ids)) {
    await blankRows(stores, part);
    await objects.remove(part.fileKeys);
    await forgetFiles(db, part.batchId);
  }
  await removeEventsOf(db, ids);
  // failpoint: erasure-before-rows
  await scrubDocuments(db, ids);
  await endErasure(db, wanted);
  return ids.length;
}

/** Cancels unfinished documents, waits for those that cannot be cancelled, and removes their data from Redis. */
export async function stopAndForget(stores: Stores, wanted: readonly string[]): Promise<readonly ErasedDocument[]> {
  const { db } = stores;
  const documents = await findErased(db, wanted);
  const ids = documents.map(({ id }) => id);
  if (ids.length === 0) return [];
  await stopDocuments(db, documents);
  await waitUntil(async () => !(await isCompleting(db, ids)) && !(await areRunning(stores, documents)));
  // An attempt that succeeded meanwhile may have created an e-mail.
  await stopDocuments(db, await findErased(db, ids));
  await waitUntil(async () => !(await isCompleting(db, ids)));
  await eraseTransient(stores, ids);
  return documents;
}

/** True while a worker may still write data of a document. Waiting jobs are removed. */
async function areRunning({ queues }: Stores, documents: readonly ErasedDocument[]): Promise<boolean> {
  // A pin may have changed since the job was added, so the job may be in the queue of any engine.
  const engines = [null, ...(await queues.listEngines())];
  for (const { id, format, batchId, dispatchedAt } of documents) {
    const isRow = batchId !== null;
    if (isRow && dispatchedAt === null) continue;
    const [queue, jobId] =
      isRow && dispatchedAt !== null
        ? ([`${queueOf(format)}-batch`, rowJobId(id, dispatchedAt)] as const)
        : ([queueOf(format), id] as const);
    for (const engine of engines) await queues.withdraw(queue, jobId, engine);
    if (await queues.has(queue, jobId)) return true;
  }
  return false;
}

async function eraseEvidence({ db, objects }: Stores, documents: readonly ErasedDocument[]): Promise<void> {
  const equal = documents.map(({ pdfOptions, renderOptions, ...inputs }) =>
    fingerprintOf({ ...inputs, pdfOptions: pdfOptions ?? undefined, renderOptions: renderOptions ?? undefined }),
  );
  const found = await findFingerprints(
    db,
    documents.map(({ id }) => id),
    equal,
  );
  for (const { accountId, fingerprint } of found) await removeUnder(objects, `quarantine/${accountId}/${fingerprint}/`);
  await forgetEvidence(
    db,
    found.map(({ fingerprint }) => fingerprint),
  );
}

const listAttempts = 5;

/**
 * Removes the objects below a folder, and returns how many. A failed listing starts over, because it no longer contains
 * the removed objects.
 */
export async function removeUnder(objects: ObjectStore, folder: string): Promise<number> {
  let removed = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const page of objects.list(folder)) {
        await objects.remove(page.map(({ key }) => key));
        removed += page.length;
      }
      return removed;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable') || attempt === listAttempts) throw error;
      await delay(pollMs);
    }
  }
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + waitMs;
  while (!(await isDone())) {
    if (performance.now() > endMs)
      throw new AppError('unavailable', 'Documents are still being completed. Run the command again later.');
    await delay(pollMs);
  }
}
