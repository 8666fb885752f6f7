import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'hono';
import { refundDocument } from '../../shared/domain/documents/fail-document.ts';
import { AppError } from '../../shared/errors.ts';
import type { DocumentReply } from '../../shared/queue/document-reply.ts';
import { contentTypeOf } from '../../shared/storage/media-types.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { documentExpired, type ReceivedDocument } from './await-result.ts';
import type { DocumentDeps } from './document-deps.ts';
import { contentDisposition, toSafeFilename } from './output-filename.ts';

const readTimeoutMs = 5_000;
const retryPauseMs = 250;

/** Responds with the finished file, its name, and the duration of each stage (`Server-Timing`, milliseconds). */
export async function streamDocument(
  c: Context<ApiEnv>,
  deps: DocumentDeps,
  document: ReceivedDocument,
): Promise<Response> {
  const bytes = await readResult(deps, c.get('accountId'), document);
  const { queueMs, renderMs, convertMs, totalMs } = document.timings;
  const headers: Record<string, string> = {
    'Content-Type': contentTypeOf(document.format),
    'Content-Length': String(bytes.length),
    'Content-Disposition': contentDisposition(toSafeFilename(document.filename, document.format)),
    'Server-Timing': `queue;dur=${queueMs}, render;dur=${renderMs}, convert;dur=${convertMs}, total;dur=${totalMs}`,
  };
  if (document.deliveryId !== null) headers['Email-Delivery-Id'] = document.deliveryId;
  if (document.warningCount > 0) headers.Warnings = String(document.warningCount);
  return c.body(
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Uint8Array<ArrayBuffer>,
    200,
    headers,
  );
}

/** Reads the bytes of the file. Refunds the document if Redis has lost them or does not respond in time. */
async function readResult(deps: DocumentDeps, accountId: string, document: ReceivedDocument): Promise<Buffer> {
  const { id, result } = document;
  const transient = deps.transient.of(accountId);
  if (document.bytes?.length === result.sizeBytes) {
    if (result.store === 'redis') transient.forget('result', result.key, result.sizeBytes);
    return document.bytes;
  }
  if (result.store === 'object') {
    const bytes = await readObject(deps, document);
    if (bytes === undefined) throw documentExpired();
    return bytes;
  }
  const bytes = await readTransient(deps, result.key);
  if (bytes === undefined) {
    await refundDocument(deps.db, id);
    throw new AppError(
      'unavailable',
      'The finished document was lost before it could be sent. Nothing was charged. Send the request again.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  transient.forget('result', result.key, result.sizeBytes);
  return bytes;
}

async function readObject(deps: DocumentDeps, { id, result }: DocumentReply): Promise<Buffer | undefined> {
  try {
    return await deps.objects.get(result.key, result.checksum);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = 'The document is stored, but its file cannot be read right now. Fetch it later as a job.';
    const details = [{ type: 'Message' as const, message: `The document's id is ${id}`, jobId: id }];
    throw new AppError('unavailable', message, { cause: error, details, retryAfterSeconds: 2 });
  }
}

async function readTransient(deps: DocumentDeps, key: string): Promise<Buffer | undefined> {
  const deadline = performance.now() + readTimeoutMs;
  for (;;) {
    try {
      return await deps.transient.get('result', key);
    } catch (error) {
      if (!(error instanceof AppError) || performance.now() > deadline) return undefined;
      await delay(retryPauseMs);
    }
  }
}
