import { setTimeout as delay } from 'node:timers/promises';
import { refundGeneration } from '../../shared/domain/generations/refund-generation.ts';
import { AppError } from '../../shared/errors.ts';
import type { DocumentReply } from '../../shared/queue/document-reply.ts';
import type { ApiDeps } from '../context.ts';
import type { AnsweredDocument } from './await-result.ts';

const patienceMs = 5_000;
const pauseMs = 250;

/** The finished bytes. When Redis lost them, or does not come back in time, the document is given back to the account. */
export async function readResult(deps: ApiDeps, document: AnsweredDocument): Promise<Buffer> {
  const { id, result } = document;
  if (document.bytes?.length === result.sizeBytes) {
    if (result.store === 'redis') deps.transient.forget('result', result.key);
    return document.bytes;
  }
  if (result.store === 'object') {
    const bytes = await readObject(deps, document);
    if (bytes === undefined) throw new AppError('not_found', 'The document was made, but it is no longer kept');
    return bytes;
  }
  const bytes = await readTransient(deps, result.key);
  if (bytes === undefined) {
    await refundGeneration(deps.db, id);
    throw new AppError('unavailable', 'The finished document was lost before it could be sent. Nothing was charged.', {
      retryAfterSeconds: 1,
    });
  }
  deps.transient.forget('result', result.key);
  return bytes;
}

async function readObject(deps: ApiDeps, { id, result }: DocumentReply): Promise<Buffer | undefined> {
  try {
    return await deps.objects.get(result.key, result.checksum);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = 'The document is made and kept, but its file cannot be read at the moment. Fetch it as a job.';
    const details = [{ type: 'Message' as const, message: `The document's id is ${id}`, jobId: id }];
    throw new AppError('unavailable', message, { cause: error, details, retryAfterSeconds: 2 });
  }
}

async function readTransient(deps: ApiDeps, key: string): Promise<Buffer | undefined> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await deps.transient.get('result', key);
    } catch (error) {
      if (!(error instanceof AppError) || performance.now() > until) return undefined;
      await delay(pauseMs);
    }
  }
}
