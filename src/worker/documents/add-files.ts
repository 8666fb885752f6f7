import type { DocumentWarning } from '../../shared/domain/documents/document-record.ts';
import { fileLimits } from '../../shared/request-files.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { attachFiles } from '../pdf/attach/attach-files.ts';
import { joinInProcess } from '../pdf/join/join-in-process.ts';
import type { PdfPart } from '../pdf/join/messages.ts';
import { invalidFile, type LoadedFile, type LoadedFiles } from './load-files.ts';

export interface ExtendedPdf {
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly warnings: readonly DocumentWarning[];
}

/**
 * Adds the files of the request to a PDF: first the pages of other PDFs, then attachments. Throws `invalid_request` for
 * a PDF that cannot be joined.
 */
export async function addFiles(
  deps: WorkerDeps,
  job: JobRun,
  { pdf, pages }: { readonly pdf: Uint8Array; readonly pages: number },
  { files, date }: { readonly files: LoadedFiles | undefined; readonly date: Date },
): Promise<ExtendedPdf> {
  if (files === undefined) return { pdf, pages, warnings: [] };
  const joined = await join(deps, job, { pdf, pages }, files);
  if (files.attachments.length === 0) return joined;
  const attached = files.attachments.map(({ file, bytes }) => ({ ...file, bytes }));
  return { ...joined, pdf: attachFiles(joined.pdf, attached, date) };
}

async function join(
  deps: WorkerDeps,
  job: JobRun,
  { pdf, pages }: { readonly pdf: Uint8Array; readonly pages: number },
  { prepend, append }: LoadedFiles,
): Promise<ExtendedPdf> {
  if (prepend.length + append.length === 0) return { pdf, pages, warnings: [] };
  const request = {
    pdf,
    before: prepend.map(toPart),
    after: append.map(toPart),
    content: new Map([...prepend, ...append].map(({ path, bytes }) => [path, bytes])),
    maxPages: fileLimits.joinedPages,
  };
  const timeoutMs = deps.config.CONVERT_TIMEOUT_MS;
  const answer = await job.stages.time('join', () => joinInProcess(request, { timeoutMs }));
  if (answer.kind === 'refused') throw invalidFile(answer.path, answer.problem);
  const warnings = answer.losses.map(({ path, lost }) => ({
    code: 'joined_pdf_reduced',
    message: `The document has the pages of ${path} without ${lost.join(', ')}.`,
  }));
  return { pdf: answer.pdf, pages: pages + answer.addedPages, warnings };
}

function toPart({ path, file: { asset = '' } }: LoadedFile): PdfPart {
  const isId = /^ast_[0-9a-z]{26}$/.test(asset);
  return { path, title: isId ? '' : asset.replace(/\.pdf$/i, '') };
}
