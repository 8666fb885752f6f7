import { hash } from 'node:crypto';
import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxAttempts } from './fail-attempt.ts';
import type { Content } from './fill-template.ts';
import { includesLoader } from './load-includes.ts';

/** The document's data, read from Redis in parallel with the claim. */
export type FetchedData = Promise<Buffer | undefined>;

export function fetchData({ transient }: WorkerDeps, documentId: string): FetchedData {
  const data = transient.get('data', documentId);
  // Not awaited if the claim fails; this avoids an unhandled rejection.
  data.catch(() => undefined);
  return data;
}

/** Loads what a claimed document is made of. Throws `AppError`. */
export async function loadContent(deps: WorkerDeps, document: ClaimedDocument, fetched: FetchedData): Promise<Content> {
  const [template, data, accountWords] = await Promise.all([
    deps.templates.load(document.templateObjectKey, document.templateChecksum),
    loadData(deps, document, fetched),
    deps.loadWords(document.dictionaryId),
  ]);
  return { template, data, accountWords, loadIncludes: includesLoader(deps.templates, document.includes) };
}

/** The request's data as raw JSON. If it is lost, a batch row is dispatched again; any other document fails. */
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

/** Removes the data of a document that has ended. Skips data that could not be read, because its size is unknown. */
export function forgetData({ transient }: WorkerDeps, { id, accountId }: ClaimedDocument, data: FetchedData): void {
  const forget = (bytes?: Buffer): void => transient.of(accountId).forget('data', id, bytes?.length);
  data.then(forget, () => forget());
}
