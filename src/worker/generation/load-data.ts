import { createHash } from 'node:crypto';
import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import type { ClaimedGeneration } from '../../shared/domain/generations/generation-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import type { FetchedData } from './run-attempt.ts';
import { maxAttempts } from './run-attempt.ts';

/**
 * The caller's data as raw JSON. Once it is lost the document cannot be made, and is given back; but the row of a batch,
 * whose data is stored, waits in line again.
 */
export async function loadData(deps: WorkerDeps, generation: ClaimedGeneration, fetched: FetchedData): Promise<Buffer> {
  const data = await fetched;
  if (data === undefined || createHash('sha256').update(data).digest('hex') !== generation.dataChecksum) {
    if (generation.attempts < maxAttempts && (await requeueRows(deps.db, [generation.id], generation)) > 0) {
      throw new AppError('unavailable', 'The data of this row was lost on its way; it is brought again.');
    }
    throw new AppError('unavailable', 'The data of this document was lost before it could be made. Send it again.', {
      retry: false,
      retryAfterSeconds: 1,
    });
  }
  return data;
}
