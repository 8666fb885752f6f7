import type { DocumentWarning } from '../../shared/domain/documents/document-record.ts';
import { fileLimits } from '../../shared/request-files.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { attachFiles } from '../pdf/attach/attach-files.ts';
import { declareInvoice } from '../pdf/attach/declare-invoice.ts';
import { joinInProcess } from '../pdf/join/join-in-process.ts';
import type { PdfPart } from '../pdf/join/messages.ts';
import type { HybridInvoice } from './document-invoice.ts';
import { invalidFile, type LoadedFile, type LoadedFiles } from './load-files.ts';

export interface ExtendedPdf {
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly warnings: readonly DocumentWarning[];
}

interface AddedFiles {
  readonly files: LoadedFiles | undefined;
  readonly invoice: HybridInvoice | undefined;
  /** The date of attachments. */
  readonly date: Date;
}

/** Embeds the invoice and the attachments of the request in a PDF. */
export function attachAll(extended: ExtendedPdf, { files, invoice, date }: AddedFiles): ExtendedPdf {
  const attached = (files?.attachments ?? []).map(({ file, bytes }) => ({ ...file, bytes }));
  if (invoice === undefined)
    return attached.length === 0 ? extended : { ...extended, pdf: attachFiles(extended.pdf, attached, date) };
  const { file, declaration, warnings } = invoice;
  const declared = declareInvoice(attachFiles(extended.pdf, [file, ...attached], date), declaration);
  return { ...extended, pdf: declared, warnings: [...extended.warnings, ...warnings] };
}

/** Adds the pages of other PDFs. Throws `invalid_request` for a PDF that cannot be joined. */
export async function joinFiles(
  deps: WorkerDeps,
  job: JobRun,
  { pdf, pages }: { readonly pdf: Uint8Array; readonly pages: number },
  { prepend, append }: Pick<LoadedFiles, 'prepend' | 'append'> = { prepend: [], append: [] },
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
