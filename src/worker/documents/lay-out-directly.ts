import type { ClaimedDocument, DocumentEngine } from '../../shared/domain/documents/document-record.ts';
import { type ProofOf, requestProof } from '../../shared/domain/templates/layout-proofs.ts';
import { AppError } from '../../shared/errors.ts';
import { directEngineName } from '../../shared/pdf-engine.ts';
import { thisRelease } from '../../shared/this-release.ts';
import type { WorkerDeps } from '../deps.ts';
import { checkPages, isPageChecked } from '../direct-pdf/check-pages.ts';
import type { DirectLayout } from '../direct-pdf/open-direct-layout.ts';
import type { DocumentWithFonts } from './account-fonts.ts';

export interface DirectDocument {
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly warnings: readonly [];
  readonly engine: DocumentEngine;
  readonly convertMs: number;
  /** Call it once the caller has the document: compares it with LibreOffice's if it is in the checked share. */
  readonly afterReply: () => void;
}

/** Lays out a filled template without LibreOffice if its version is proven. Undefined if LibreOffice must do it. */
export async function layOutDirectly(
  deps: WorkerDeps,
  document: ClaimedDocument,
  { docx, fonts }: Pick<DocumentWithFonts, 'docx' | 'fonts'>,
): Promise<DirectDocument | undefined> {
  const { direct } = deps;
  if (direct === undefined || !isPlainRequest(document)) return undefined;
  const layoutKey = await direct.key();
  if (layoutKey === undefined) return undefined;
  const { accountId, templateId, templateVersion: version, templateObjectKey: templateKey } = document;
  const of: ProofOf = { templateId, version, layoutKey };
  const proof = document.layoutProofs.find((one) => one.layoutKey === layoutKey);
  if (proof === undefined) {
    await requestProof(deps.db, accountId, of).catch((error: unknown) =>
      deps.logger.warn(
        { err: error },
        'the comparison of a template could not be requested; its next PDF requests it again',
      ),
    );
    return undefined;
  }
  if (proof.state !== 'direct') return undefined;
  if (fonts.length === 0) deps.releasePermit?.();
  const made = fonts.length > 0 ? undefined : await convert(deps, direct, { accountId, templateKey, docx });
  deps.metrics.directPdf(made === undefined ? 'fallback' : 'served');
  if (made === undefined) return undefined;
  const afterReply = (): void => {
    if (!isPageChecked(document.id, proof.checked, deps.config.DIRECT_PDF_PAGE_CHECKS)) return;
    const check = () => checkPages(deps, direct.comparer, { document, proof: of, docx, pdf: made.pdf });
    if (!direct.pageChecks.add(check)) deps.metrics.pageCheck('skipped');
  };
  return { ...made, warnings: [], engine: { name: directEngineName, version: thisRelease.version }, afterReply };
}

/**
 * PDF options, the watermark of test keys and an engine chosen by the request need LibreOffice. So do templates that
 * include others, because a proof covers a single version of a single file.
 */
function isPlainRequest({ pdfOptions = {}, isTest, includes }: ClaimedDocument): boolean {
  if (includes.length > 0) return false;
  const { engine = 'auto', ...options } = pdfOptions;
  return !isTest && engine === 'auto' && Object.values(options).every((value) => value === undefined || value === null);
}

interface Filled {
  readonly accountId: string;
  readonly templateKey: string;
  readonly docx: Uint8Array;
}

async function convert(deps: WorkerDeps, { pool }: DirectLayout, { accountId, templateKey, docx }: Filled) {
  const request = { account: accountId, templateKey, addWorkMs: deps.addWorkMs, docx };
  try {
    const made = await pool.convert(request);
    if (made.kind === 'made') return { pdf: made.pdf, pages: made.pages, convertMs: made.convertMs };
    deps.logger.debug({ reasons: made.reasons }, 'a document is laid out by LibreOffice instead');
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    deps.logger.warn({ err: error }, 'direct layout is not available; using LibreOffice');
  }
  return undefined;
}
