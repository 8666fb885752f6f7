import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import type { DocumentReply } from '../../shared/queue/document-reply.ts';
import { publishReply } from '../../shared/queue/replies.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';

export interface Success {
  readonly document: ClaimedDocument;
  /** The channel of the API process that waits; null if none does. */
  readonly replyTo: string | null;
  readonly reply: DocumentReply;
  readonly bytes: Uint8Array;
}

/** Sends a settled document to the API process that waits for it, and queues its e-mail and webhooks. */
export async function sendReply(
  deps: WorkerDeps,
  job: JobRun,
  { document, replyTo, reply, bytes }: Success,
): Promise<void> {
  const { id, deliveryId } = reply;
  const { store, key } = reply.result;
  const file = { bytes, storedAs: store === 'redis' ? key : undefined, store: deps.transient };
  const replied = publishReply(deps.redis, replyTo, { id, ok: true, value: reply }, file);
  const isSent = deliveryId !== null && !document.isTest;
  const queued = !isSent ? undefined : deps.queues.add('mail', deliveryId, { deliveryId });
  for (const result of await Promise.allSettled([replied, queued, queueWebhooks(deps, document)])) {
    if (result.status === 'rejected')
      job.logger.warn({ err: result.reason }, 'a reply or job was not sent; the sweep queues missing jobs');
  }
}

export interface Failure extends Pick<Success, 'document' | 'replyTo'> {
  readonly record: ErrorRecord;
}

/** Sends the error of a failed document, and queues its webhooks. */
export async function sendFailure(
  deps: WorkerDeps,
  job: JobRun,
  { document, replyTo, record }: Failure,
): Promise<void> {
  await publishReply(deps.redis, replyTo, { id: document.id, ok: false, error: record });
  await queueWebhooks(deps, document)?.catch((cause: unknown) =>
    job.logger.warn({ err: cause }, 'webhooks were not queued; the sweep will queue them'),
  );
}

function queueWebhooks(deps: WorkerDeps, { id, accountId, emitsEvents }: ClaimedDocument): Promise<void> | undefined {
  return emitsEvents ? deps.queues.add('webhook', id, { accountId }) : undefined;
}
