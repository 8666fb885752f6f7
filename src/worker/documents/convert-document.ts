import { required, type WorkerDeps } from '../deps.ts';
import { EngineError, isSlotLost } from '../engine-error.ts';
import type { JobRun } from '../job-run.ts';
import { normalizePdf } from '../pdf/normalize/normalize-pdf.ts';
import { refreshSkipped } from '../pdf/office/kept-index.ts';
import { RefreshLost } from '../pdf/office/office-error.ts';
import type { ConvertResult } from '../pdf/office/office-pool.ts';
import type { DocumentWithFonts } from './account-fonts.ts';
import { type ConversionHistory, quarantinedMessage } from './conversion-history.ts';
import { convertWithPages } from './convert-with-pages.ts';
import type { PrintedDocument } from './fill-template.ts';

/** After a shorter wait for a slot, checking again is not worth the queries. */
const longWaitMs = 1_000;

export interface Conversion {
  readonly document: PrintedDocument;
  readonly filled: Pick<DocumentWithFonts, 'docx' | 'fonts'> & {
    /** Whether it has fields that depend on its pages. Default: false. */
    readonly hasPageFields?: boolean;
  };
  readonly history: ConversionHistory;
}

/**
 * Converts a rendered document to PDF with LibreOffice, and refreshes its fields and indexes. Converts without the
 * refresh if that crashes or hangs LibreOffice, now or according to `history`. Any other crash or hang is recorded in
 * `history`, which may quarantine the document. Throws `document_quarantined` for a quarantined document.
 */
export async function convertDocument(deps: WorkerDeps, job: JobRun, conversion: Conversion): Promise<ConvertResult> {
  const { filled, history } = conversion;
  const [isUnsafe] = await Promise.all([history.isRefreshUnsafe(), history.refuseQuarantined()]);
  try {
    const refreshed = isUnsafe ? undefined : await refreshAndConvert(deps, job, conversion);
    if (refreshed !== undefined) return refreshed;
    const converted = await convert(deps, job, conversion, { refresh: false });
    return { ...converted, warnings: [...converted.warnings, refreshSkipped] };
  } catch (error) {
    if (!isSlotLost(error)) throw error;
    const isQuarantined = await history.recordFailure(filled.docx, error);
    throw isQuarantined ? new EngineError('document_quarantined', quarantinedMessage, true) : error;
  }
}

/** Returns undefined if LibreOffice crashed or hung while refreshing fields and indexes. */
async function refreshAndConvert(
  deps: WorkerDeps,
  job: JobRun,
  conversion: Conversion,
): Promise<ConvertResult | undefined> {
  try {
    return await convert(deps, job, conversion, { refresh: true });
  } catch (error) {
    if (!(error instanceof RefreshLost)) throw error;
    await conversion.history.rememberUnsafeRefresh(error);
    return undefined;
  }
}

async function convert(
  deps: WorkerDeps,
  job: JobRun,
  conversion: Conversion,
  { refresh }: { readonly refresh: boolean },
): Promise<ConvertResult> {
  const { document, filled } = conversion;
  const once = (docx: Uint8Array) => convertOnce(deps, job, conversion, { refresh, docx });
  const converted = filled.hasPageFields
    ? await convertWithPages(deps, job, { ...document, docx: filled.docx }, once)
    : await once(filled.docx);
  const tagged = await withTags(deps, job, document, converted.pdf);
  return { ...converted, pdf: normalizePdf(tagged, document.documentDate, document.pdfOptions?.archive) };
}

async function convertOnce(
  deps: WorkerDeps,
  job: JobRun,
  { document, filled, history }: Conversion,
  { refresh, docx }: { readonly refresh: boolean; readonly docx: Uint8Array },
): Promise<ConvertResult> {
  const { timezone = 'UTC' } = document.renderOptions ?? {};
  return await required(deps.office, 'office').convert({
    account: document.accountId,
    templateKey: document.templateObjectKey,
    addWorkMs: job.addWorkMs,
    docx,
    fonts: filled.fonts,
    pdf: document.pdfOptions,
    refresh,
    filename: document.filename,
    localDate: toLocalTime(document.documentDate, timezone),
    beforeStart: async (waitMs) => {
      if (waitMs > longWaitMs) await history.refuseOutdated();
    },
  });
}

/** Adds the tags of an accessible PDF that LibreOffice omits. */
async function withTags(
  deps: WorkerDeps,
  job: JobRun,
  document: PrintedDocument,
  pdf: Uint8Array,
): Promise<Uint8Array> {
  if (document.pdfOptions?.accessible !== true) return pdf;
  const request = { account: document.accountId, addWorkMs: job.addWorkMs, pdf };
  return required(deps.conformance, 'conformance').complete(request);
}

/** The date and time in a time zone (IANA), such as 2026-03-31T14:30:00. */
function toLocalTime(date: Date, timeZone: string): string {
  const shift = Date.parse(`${date.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  return new Date(shift).toISOString().slice(0, 19);
}
