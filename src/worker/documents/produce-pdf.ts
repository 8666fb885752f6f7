import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { compareInvoice } from './compare-invoice.ts';
import { historyOf } from './conversion-history.ts';
import { produceInvoice, toHybrid } from './document-invoice.ts';
import { fillForPdf } from './fill-template.ts';
import { finishPdf } from './finish-pdf.ts';
import { layOutPages } from './lay-out-pages.ts';
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
  const options = document.pdfOptions?.invoice;
  const made = options && (await produceInvoice(deps, job, document, { options, files, data: content.data }));
  const filled = await fillForPdf(deps, job, document, { ...content, keysReadElsewhere: made?.readKeys });
  const { templateId, templateVersion: version, layoutProofs: proofs } = document;
  const pages = { document, filled, of: { templateId, version, proofs }, history: historyOf(deps, job, document) };
  const laidOut = await job.stages.time('convert', () => layOutPages(deps, job, pages));
  // Before the watermark, which could hide text, and before pages are added, which others wrote.
  const differences = made && (await compareInvoice(deps, job, document, { xml: made.xml, pdf: laidOut.pdf, options }));
  const invoice = made && toHybrid({ ...made, warnings: [...made.warnings, ...(differences ?? [])] }, options);
  const watermark = document.isTest ? 'TEST' : undefined;
  const finished = await finishPdf(deps, job, { document, filled, laidOut, watermark, files, invoice });
  const pageCheck = 'proof' in laidOut ? { document, filled, proof: laidOut.proof } : undefined;
  return { ...finished, emailFiles: files.email, pageCheck };
}
