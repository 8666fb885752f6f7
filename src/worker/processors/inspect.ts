import { AppError, toErrorRecord } from '../../shared/errors.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { InspectionReply } from '../../shared/queue/document-reply.ts';
import { publishReply, type Reply } from '../../shared/queue/replies.ts';
import { required, type WorkerDeps } from '../context.ts';
import type { TemplateReport } from '../docx/docx-pool.ts';

/** Opens an uploaded file in a bounded thread, reads its tags, and tells the API what it found. */
export async function processInspect(deps: WorkerDeps, payload: JobPayload<'inspect'>): Promise<void> {
  const docx = required(deps.docx, 'docx');
  const bytes = await deps.transient.get('upload', payload.uploadId);
  if (bytes === undefined) return;
  await publishReply(deps.redis, payload.replyTo, await inspect(deps, payload.uploadId, () => docx.inspect(bytes)));
}

async function inspect(deps: WorkerDeps, id: string, look: () => Promise<TemplateReport>): Promise<Reply> {
  try {
    const { tags, fonts, warnings, schema, example } = await look();
    const value: InspectionReply = {
      tags: [...tags],
      fonts: [...fonts],
      schema,
      example,
      warnings: warnings.map(({ code, message, part }) =>
        part === undefined ? { code, message } : { code, message, part },
      ),
    };
    return { id, ok: true, value };
  } catch (error) {
    if (!(error instanceof AppError))
      deps.logger.error({ err: error, uploadId: id }, 'an upload could not be inspected');
    return { id, ok: false, error: toErrorRecord(error) };
  }
}
