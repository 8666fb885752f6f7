import { hash } from 'node:crypto';
import type { ClaimedDocument, ResultLocation } from '../../shared/domain/documents/document-record.ts';
import { contentTypeOf } from '../../shared/storage/media-types.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { emailFileKey, removeEmailFiles } from './email-files.ts';
import type { ProducedDocument } from './produced-document.ts';

const binary = 'application/octet-stream';
const minTransientSeconds = 300;
const lateMarginMs = 2_000;

/**
 * Stores the finished bytes in Redis for a waiting caller, or in the file store if they must be kept, are large, do not
 * fit into Redis, or are so late that the caller may have timed out. The key contains the attempt, so that attempts
 * never share a key. The files of an e-mail are always in the file store, and so is the document that is sent with
 * them.
 */
export async function storeResult(
  deps: WorkerDeps,
  document: ClaimedDocument,
  { bytes, emailFiles = [] }: Pick<ProducedDocument, 'bytes' | 'emailFiles'>,
): Promise<ResultLocation> {
  const { config } = deps;
  const checksum = hash('sha256', bytes, 'hex');
  const isLate = document.queueMs + (performance.now() - document.claimedAtMs) > config.WAIT_LIMIT_MS - lateMarginMs;
  const mustLast = document.isKept || isLate || bytes.length > config.RESULT_INLINE_MAX_BYTES;
  const transientKey = `${document.id}.${document.attemptToken}`;
  const transient = deps.transient.of(document.accountId);
  if (mustLast || !(await transient.tryReserve('result', transientKey, bytes.length))) {
    const key = `results/${document.accountId}/${document.id}/${document.attemptToken}.${document.format}`;
    await deps.objects.put(key, bytes, contentTypeOf(document.format));
    for (const [index, file] of emailFiles.entries())
      await deps.objects.put(emailFileKey(key, index, hash('sha256', file.bytes, 'hex')), file.bytes, binary);
    return { store: 'object', key, sizeBytes: bytes.length, checksum };
  }
  const ttlSeconds = Math.max(minTransientSeconds, Math.ceil((config.WAIT_LIMIT_MS * 2) / 1_000));
  await deps.transient.put('result', transientKey, bytes, ttlSeconds);
  return { store: 'redis', key: transientKey, sizeBytes: bytes.length, checksum };
}

/** Removes the bytes of an attempt that was fenced off. */
export async function discardResult(
  deps: WorkerDeps,
  job: JobRun,
  { accountId, email }: Pick<ClaimedDocument, 'accountId' | 'email'>,
  { store, key, sizeBytes }: ResultLocation,
): Promise<void> {
  if (store === 'redis') {
    deps.transient.of(accountId).forget('result', key, sizeBytes);
    return;
  }
  try {
    if (email?.attachments !== undefined) await removeEmailFiles(deps.objects, key);
    await deps.objects.remove([key]);
  } catch (error) {
    job.logger.warn({ err: error, key }, 'the result of a stale attempt was not removed; the sweep removes it');
  }
}
