import { required, type WorkerDeps } from '../deps.ts';
import { EngineError, isSlotLost } from '../engine-error.ts';
import { normalizePdf } from '../pdf/normalize/normalize-pdf.ts';
import { refreshSkipped } from '../pdf/office/kept-index.ts';
import { RefreshLost } from '../pdf/office/office-error.ts';
import type { ConvertResult, EmbeddedFont, OfficePool } from '../pdf/office/office-pool.ts';
import { type ConversionHistory, quarantinedMessage } from './conversion-history.ts';
import type { PrintedDocument } from './printed-document.ts';

/** After a shorter wait for a slot, checking again is not worth the queries. */
const longWaitMs = 1_000;

/**
 * Converts a rendered document to PDF with LibreOffice, and refreshes its fields and indexes. Converts without the
 * refresh if that crashes or hangs LibreOffice, now or according to `history`. Any other crash or hang is recorded in
 * `history`, which may quarantine the document. Throws `document_quarantined` for a quarantined document.
 */
export async function convertDocument(
  deps: WorkerDeps,
  office: OfficePool,
  document: PrintedDocument,
  history: ConversionHistory,
  docx: Uint8Array,
  fonts: readonly EmbeddedFont[] = [],
): Promise<ConvertResult> {
  const { timezone = 'UTC' } = document.renderOptions ?? {};
  const convert = async (refresh: boolean): Promise<ConvertResult> => {
    const converted = await office.convert({
      account: document.accountId,
      templateKey: document.templateObjectKey,
      addWorkMs: deps.addWorkMs,
      docx,
      fonts,
      pdf: document.pdfOptions,
      refresh,
      filename: document.filename,
      localDate: toLocalTime(document.documentDate, timezone),
      beforeStart: async (waitMs) => {
        if (waitMs > longWaitMs) await history.refuseOutdated();
      },
    });
    const tagged = await withTags(deps, document, converted.pdf);
    return { ...converted, pdf: normalizePdf(tagged, document.documentDate) };
  };
  const [isUnsafe] = await Promise.all([history.isRefreshUnsafe(), history.refuseQuarantined()]);
  try {
    const refreshed = isUnsafe ? undefined : await refreshAndConvert(history, convert);
    if (refreshed !== undefined) return refreshed;
    const converted = await convert(false);
    return { ...converted, warnings: [...converted.warnings, refreshSkipped] };
  } catch (error) {
    if (!isSlotLost(error)) throw error;
    const isQuarantined = await history.recordFailure(docx, error);
    throw isQuarantined ? new EngineError('document_quarantined', quarantinedMessage, true) : error;
  }
}

/** Adds the tags of an accessible PDF that LibreOffice omits. */
async function withTags(deps: WorkerDeps, document: PrintedDocument, pdf: Uint8Array): Promise<Uint8Array> {
  if (document.pdfOptions?.accessible !== true) return pdf;
  const request = { account: document.accountId, addWorkMs: deps.addWorkMs, pdf };
  return required(deps.conformance, 'conformance').complete(request);
}

/** Returns undefined if LibreOffice crashed or hung while refreshing fields and indexes. */
async function refreshAndConvert(
  history: ConversionHistory,
  convert: (refresh: boolean) => Promise<ConvertResult>,
): Promise<ConvertResult | undefined> {
  try {
    return await convert(true);
  } catch (error) {
    if (!(error instanceof RefreshLost)) throw error;
    await history.rememberUnsafeRefresh(error);
    return undefined;
  }
}

/** The date and time in a time zone (IANA), such as 2026-03-31T14:30:00. */
function toLocalTime(date: Date, timeZone: string): string {
  const shift = Date.parse(`${date.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  return new Date(shift).toISOString().slice(0, 19);
}
