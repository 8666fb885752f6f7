import { createHash } from 'node:crypto';
import type { ClaimedGeneration } from '../../shared/domain/generations/generation-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../context.ts';

/** The caller's data as raw JSON. Once it is lost the document cannot be made, and is given back. */
export async function loadData(deps: WorkerDeps, generation: ClaimedGeneration): Promise<Buffer> {
  const data = await deps.transient.get('data', generation.id);
  if (data === undefined || createHash('sha256').update(data).digest('hex') !== generation.dataChecksum) {
    throw new AppError('unavailable', 'The data of this document was lost before it could be made. Send it again.', {
      retry: false,
      retryAfterSeconds: 1,
    });
  }
  return data;
}
