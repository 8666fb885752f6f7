import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';
import { type DirectDocument, layOutDirectly } from '../direct-pdf/direct-layout.ts';
import type { JobRun } from '../job-run.ts';
import type { ConvertResult } from '../pdf/office/office-pool.ts';
import { historyOf } from './conversion-history.ts';
import { convertDocument } from './convert-document.ts';
import { type FilledDocument, fillForPdf } from './fill-template.ts';
import { finishPdf } from './finish-pdf.ts';
import { type FetchedData, loadContent } from './load-content.ts';
import { loadFiles } from './load-files.ts';
import type { ProducedDocument } from './produced-document.ts';

/** Fills the template of a document, lays out its pages, and finishes the PDF. Throws `AppError`. */
export async function producePdf(
  deps: WorkerDeps,
  job: JobRun,
  document: ClaimedDocument,
  fetched: FetchedData,
): Promise<ProducedDocument> {
  const [content, files] = await Promise.all([
    loadContent(deps, document, fetched),
    loadFiles(deps, document, fetched),
  ]);
  const filled = await fillForPdf(deps, job, document, content);
  const laidOut = await job.stages.time('convert', () => layOut(deps, job, document, filled));
  const watermark = document.isTest ? 'TEST' : undefined;
  const finished = await finishPdf(deps, job, { document, filled, laidOut, watermark, files });
  const emailFiles = files.email;
  return { ...finished, emailFiles, pageCheck: 'pageCheck' in laidOut ? laidOut.pageCheck : undefined };
}

/** Lays out the pages directly if they are proven to be those of LibreOffice, and otherwise with LibreOffice. */
async function layOut(
  deps: WorkerDeps,
  job: JobRun,
  document: ClaimedDocument,
  filled: FilledDocument,
): Promise<DirectDocument | ConvertResult> {
  const direct = await layOutDirectly(deps, job, document, filled);
  if (direct !== undefined) return direct;
  return await convertDocument(deps, job, { document, filled, history: historyOf(deps, job, document) });
}
