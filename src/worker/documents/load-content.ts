import { hash } from 'node:crypto';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { findRequest } from '../../shared/domain/documents/find-request.ts';
import { AppError } from '../../shared/errors.ts';
import { readRowData } from '../../shared/read-row-data.ts';
import { allFiles, listFiles } from '../../shared/request-files.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import type { Content } from './fill-template.ts';
import { includesLoader } from './load-includes.ts';

/**
 * The document's data, followed by the files of its request. If they did not come with the job, they are read from
 * Redis while the row is claimed.
 */
export type FetchedData = Promise<Buffer | undefined>;

export function fetchData({ transient }: WorkerDeps, job: Pick<JobRun, 'data'>, documentId: string): FetchedData {
  if (job.data !== undefined) return Promise.resolve(job.data);
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

/** The request's data as raw JSON. If Redis has lost it, the data of a batch row is read from the object store. */
export async function loadData(deps: WorkerDeps, document: ClaimedDocument, fetched: FetchedData): Promise<Buffer> {
  const data = await fetched;
  const json = data?.subarray(0, startOfFiles(document));
  if (json !== undefined && hash('sha256', json, 'hex') === document.dataChecksum) return json;
  const { id, accountId, batchId } = document;
  const stored =
    batchId === null ? undefined : await readRowData(deps.objects, await findRequest(deps.db, accountId, id));
  if (stored !== undefined) return stored;
  throw dataLost();
}

export function dataLost(): AppError {
  const message = 'The data for this document was lost before it was produced. Send the request again.';
  return new AppError('unavailable', message, { retry: false, retryAfterSeconds: 1 });
}

/** Where the JSON text ends; undefined if no file came with the request. */
function startOfFiles({ pdfOptions, email }: ClaimedDocument): number | undefined {
  const offsets = allFiles(listFiles(pdfOptions, email)).flatMap(({ file }) => file.content?.offset ?? []);
  return offsets.length === 0 ? undefined : Math.min(...offsets);
}

/** Removes the data of a document that has ended. Skips data that could not be read, because its size is unknown. */
export function forgetData({ transient }: WorkerDeps, { id, accountId }: ClaimedDocument, data: FetchedData): void {
  const forget = (bytes?: Buffer): void => transient.of(accountId).forget('data', id, bytes?.length);
  data.then(forget, () => forget());
}
