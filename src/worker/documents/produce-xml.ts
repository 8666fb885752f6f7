import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { produceInvoice } from './document-invoice.ts';
import { type FetchedData, loadData } from './load-content.ts';
import { loadFiles } from './load-files.ts';
import type { ProducedDocument } from './produced-document.ts';

/** Makes an electronic invoice without pages. Throws `AppError`. */
export async function produceXml(
  deps: WorkerDeps,
  job: JobRun,
  document: ClaimedDocument,
  fetched: FetchedData,
): Promise<ProducedDocument> {
  const startMs = performance.now();
  const [data, files] = await Promise.all([loadData(deps, document, fetched), loadFiles(deps, document, fetched)]);
  const options = document.pdfOptions?.invoice;
  if (options === undefined) throw new Error('a document of format xml has no invoice');
  const { xml, warnings } = await produceInvoice(deps, job, document, { options, files, data });
  const renderMs = performance.now() - startMs;
  return { bytes: xml, pages: null, engine: null, warnings, renderMs, convertMs: 0, emailFiles: files.email };
}
