import { hash } from 'node:crypto';
import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import type { FetchedData } from './run-attempt.ts';
import { maxAttempts } from './run-attempt.ts';

/** Loads the request's data as raw JSON. If it is lost, a batch row is dispatched again; any other document fails. */
export async function loadData(deps: WorkerDeps, document: ClaimedDocument, fetched: FetchedData): Promise<Buffer> {
  const data = await fetched;
  if (data === undefined || hash('sha256', data, 'hex') !== document.dataChecksum) {
    if (document.attempts < maxAttempts && (await requeueRows(deps.db, [document.id], document)) > 0) {
      throw new AppError('unavailable', 'The data for this row was lost before processing. The row is queued again.');
    }
    throw new AppError(
      'unavailable',
      'The data for this document was lost before it was produced. Send the request again.',
      {
        retry: false,
        retryAfterSeconds: 1,
      },
    );
  }
  return data;
}
