import { newId } from '../../shared/ids.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { ReplySchema } from './await-result.ts';
import type { DocumentDeps } from './document-deps.ts';

const uploadTtlSeconds = 300;

/**
 * Has a worker inspect a file that is not a template, in a sandboxed process. Throws its error, or `unavailable` if no worker
 * answers in time.
 */
export async function inspectUpload<T>(
  { queues, results, trace, ...deps }: Pick<DocumentDeps, 'queues' | 'results' | 'trace' | 'transient'>,
  accountId: string,
  file: Buffer,
  { kind, reply }: { readonly kind: Exclude<JobPayload<'inspect'>['kind'], undefined>; readonly reply: ReplySchema<T> },
): Promise<T> {
  const uploadId = newId('upl');
  const transient = deps.transient.of(accountId);
  try {
    return await results.awaitInspection(uploadId, reply, async () => {
      await transient.put('upload', uploadId, file, uploadTtlSeconds);
      await queues.add('inspect', uploadId, { uploadId, accountId, replyTo: results.channel, trace, kind });
    });
  } finally {
    await transient.remove('upload', uploadId).catch(() => undefined);
  }
}
