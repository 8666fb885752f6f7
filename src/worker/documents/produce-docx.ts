import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { fillTemplate } from './fill-template.ts';
import { type FetchedData, loadContent } from './load-content.ts';
import { loadFiles } from './load-files.ts';
import type { ProducedDocument } from './produced-document.ts';

/** Fills the template of a document. Throws `AppError`. */
export async function produceDocx(
  deps: WorkerDeps,
  job: JobRun,
  document: ClaimedDocument,
  fetched: FetchedData,
): Promise<ProducedDocument> {
  const [content, files] = await Promise.all([
    loadContent(deps, document, fetched),
    loadFiles(deps, document, fetched),
  ]);
  const rendered = await job.stages.time('render', () =>
    fillTemplate(deps, job, document, content, { target: 'docx' }),
  );
  const { docx, warnings, renderMs } = rendered;
  return { bytes: docx, pages: null, engine: null, warnings, renderMs, convertMs: 0, emailFiles: files.email };
}
