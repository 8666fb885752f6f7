import {
  countConversionFailures,
  failuresToQuarantine,
  recordConversionFailure,
} from '../../shared/domain/conversion-failures.ts';
import { isClaimCurrent } from '../../shared/domain/generations/claim-generation.ts';
import { fingerprintOf } from '../../shared/domain/generations/fingerprint.ts';
import type { ClaimedGeneration } from '../../shared/domain/generations/generation-record.ts';
import { AppError } from '../../shared/errors.ts';
import { docxType } from '../../shared/storage/media-types.ts';
import { required, type WorkerDeps } from '../deps.ts';
import type { RenderOptions } from '../docx/sandbox/docx-pool.ts';
import { EngineError, isSlotLost } from '../engine-error.ts';
import { normalizePdf } from '../pdf/normalize/normalize-pdf.ts';
import { refreshSkipped } from '../pdf/office/kept-index.ts';
import { RefreshLost } from '../pdf/office/office-error.ts';
import type { ConvertResult, EmbeddedFont, OfficePool, PdfOptions } from '../pdf/office/office-pool.ts';
import { rememberUnsafeRefresh } from './unsafe-refreshes.ts';

/** A shorter wait for a slot is not worth the statements. */
const longWaitMs = 1_000;
const quarantined =
  'This template with this data cannot be converted to PDF: the converter failed twice. Change the template or the data, or request a .docx instead.';

/**
 * Converts a rendered document to PDF, and refreshes its fields and indexes if asked. When that refresh crashes or hangs
 * LibreOffice, converts without it, and remembers this for the template version. A document that crashes or hangs
 * LibreOffice twice in any other way is quarantined: later attempts fail immediately, and the file is kept for the operator.
 */
export async function convertDocument(
  deps: WorkerDeps,
  office: OfficePool,
  generation: ClaimedGeneration,
  docx: Uint8Array,
  refresh: boolean,
  fonts: readonly EmbeddedFont[] = [],
): Promise<ConvertResult> {
  const { timezone = 'UTC' } = (generation.renderOptions ?? {}) as RenderOptions;
  const convert = async (refresh: boolean): Promise<ConvertResult> => {
    const converted = await office.convert({
      account: generation.accountId,
      templateKey: generation.templateObjectKey,
      addWorkMs: deps.addWorkMs,
      docx,
      fonts,
      pdf: generation.pdfOptions as PdfOptions | undefined,
      refresh,
      filename: generation.filename,
      localDate: toLocalTime(generation.documentDate, timezone),
      beforeStart: async (waitMs) => {
        if (waitMs > longWaitMs) await refuseOutdated(deps, generation);
      },
    });
    const tagged = await withTags(deps, generation, converted.pdf);
    return { ...converted, pdf: normalizePdf(tagged, generation.documentDate) };
  };
  try {
    const refreshed = refresh ? await refreshAndConvert(deps, generation, convert) : undefined;
    if (refreshed !== undefined) return refreshed;
    const converted = await convert(false);
    return { ...converted, warnings: [...converted.warnings, refreshSkipped] };
  } catch (error) {
    if (!isSlotLost(error)) throw error;
    const failures = await recordFailure(deps, generation, docx, error);
    throw failures >= failuresToQuarantine ? new EngineError('document_quarantined', quarantined, true) : error;
  }
}

/** An accessible PDF with the tags that LibreOffice leaves out. */
async function withTags(deps: WorkerDeps, generation: ClaimedGeneration, pdf: Uint8Array): Promise<Uint8Array> {
  const options = generation.pdfOptions as PdfOptions | undefined;
  if (options?.accessible !== true) return pdf;
  const request = { account: generation.accountId, addWorkMs: deps.addWorkMs, pdf };
  return required(deps.conformance, 'conformance').complete(request);
}

/** Undefined when LibreOffice crashed or hung while it refreshed fields and indexes. */
async function refreshAndConvert(
  deps: WorkerDeps,
  generation: ClaimedGeneration,
  convert: (refresh: boolean) => Promise<ConvertResult>,
): Promise<ConvertResult | undefined> {
  try {
    return await convert(true);
  } catch (error) {
    if (!(error instanceof RefreshLost)) throw error;
    const { id, templateId, templateVersion } = generation;
    const entry = { generationId: id, templateId, templateVersion, reason: error.code };
    deps.logger.warn(entry, 'refreshing fields and indexes killed or hung a LibreOffice slot; converting without it');
    await rememberUnsafeRefresh(deps, generation);
    return undefined;
  }
}

/**
 * A document that waited for a slot may have ended meanwhile, or failed under another id: then converting it would keep the
 * slot from others in vain. Throws `document_quarantined`, or an error that nobody reads, because the attempt is fenced off.
 */
async function refuseOutdated(deps: WorkerDeps, generation: ClaimedGeneration): Promise<void> {
  if (!(await isClaimCurrent(deps.db, generation)))
    throw new AppError('worker_lost', 'The document has ended, or another attempt has replaced this one.');
  await recordings.get(fingerprintOf(generation))?.catch(() => undefined);
  await refuseQuarantined(deps, generation);
}

/** Throws `document_quarantined` for a quarantined document. */
export async function refuseQuarantined(deps: WorkerDeps, generation: ClaimedGeneration): Promise<void> {
  if ((await countConversionFailures(deps.db, fingerprintOf(generation))) >= failuresToQuarantine)
    throw new AppError('document_quarantined', quarantined);
}

/** Failures of this worker that are being recorded, by fingerprint. The next copy of the document waits for them. */
const recordings = new Map<string, Promise<number>>();

async function recordFailure(
  deps: WorkerDeps,
  generation: ClaimedGeneration,
  docx: Uint8Array,
  error: AppError,
): Promise<number> {
  const fingerprint = fingerprintOf(generation);
  const recording = storeFailure(deps, generation, fingerprint, docx, error);
  recordings.set(fingerprint, recording);
  try {
    return await recording;
  } finally {
    if (recordings.get(fingerprint) === recording) recordings.delete(fingerprint);
  }
}

async function storeFailure(
  deps: WorkerDeps,
  generation: ClaimedGeneration,
  fingerprint: string,
  docx: Uint8Array,
  error: AppError,
): Promise<number> {
  const { accountId, templateId, templateVersion } = generation;
  // The key of an earlier failure is never used again, so that removing its evidence cannot remove this.
  const evidenceKey = `quarantine/${accountId}/${fingerprint}/${generation.attemptToken}.docx`;
  const isKept = await deps.objects.put(evidenceKey, docx, docxType).then(
    () => true,
    () => false,
  );
  const failures = await recordConversionFailure(deps.db, {
    fingerprint,
    accountId,
    generationId: generation.id,
    templateId,
    templateVersion,
    reason: error.code,
    evidenceKey: isKept ? evidenceKey : undefined,
    sizeBytes: docx.length,
  });
  if (failures === failuresToQuarantine) deps.metrics.quarantine();
  deps.logger.warn(
    { generationId: generation.id, fingerprint, failures, reason: error.code },
    'a document killed or hung a LibreOffice slot',
  );
  return failures;
}

/** The date and time in a time zone (IANA), such as 2026-03-31T14:30:00. */
function toLocalTime(date: Date, timeZone: string): string {
  const shift = Date.parse(`${date.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  return new Date(shift).toISOString().slice(0, 19);
}
