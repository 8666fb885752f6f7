import { setTimeout as delay } from 'node:timers/promises';
import type { Standards } from '@docmill/layout';
import { toDocumentName } from '../../shared/document-name.ts';
import type { ClaimedDocument, DocumentEngine } from '../../shared/domain/documents/document-record.ts';
import { type ProofOf, requestProof } from '../../shared/domain/templates/layout-proofs.ts';
import { AppError } from '../../shared/errors.ts';
import { directEngineName } from '../../shared/pdf-engine.ts';
import { thisRelease } from '../../shared/this-release.ts';
import type { WorkerDeps } from '../deps.ts';
import type { DocumentWithFonts } from '../documents/account-fonts.ts';
import type { JobRun } from '../job-run.ts';
import { checkPages, isPageChecked, type PageCheck } from './check-pages.ts';
import type { DirectLayout } from './open-direct-layout.ts';
import { proveNext } from './prove-next.ts';

export type { PageCheck } from './check-pages.ts';

export interface DirectDocument {
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly warnings: readonly [];
  readonly engine: DocumentEngine;
  readonly convertMs: number;
  /** Set for the share of documents that are compared with LibreOffice's pages once their callers have them. */
  readonly pageCheck: PageCheck | undefined;
}

/** Lays out a filled template without LibreOffice if its version is proven. Undefined if LibreOffice must do it. */
export async function layOutDirectly(
  deps: WorkerDeps,
  job: JobRun,
  document: ClaimedDocument,
  { docx, fonts }: Pick<DocumentWithFonts, 'docx' | 'fonts'>,
): Promise<DirectDocument | undefined> {
  const { direct } = deps;
  const standards = standardsOf(document);
  if (direct === undefined || standards === undefined || !isPlainRequest(document)) return undefined;
  const layoutKey = await direct.key();
  if (layoutKey === undefined) return undefined;
  const { accountId, templateId, templateVersion: version, templateObjectKey: templateKey } = document;
  const of: ProofOf = { templateId, version, layoutKey };
  const proof = document.layoutProofs.find((one) => one.layoutKey === layoutKey);
  if (proof === undefined) {
    await requestProof(deps.db, accountId, of).catch((error: unknown) =>
      job.logger.warn(
        { err: error },
        'the comparison of a template could not be requested; its next PDF requests it again',
      ),
    );
    return undefined;
  }
  if (proof.state !== 'direct') return undefined;
  if (fonts.length === 0) job.releasePermit?.();
  const made = fonts.length > 0 ? undefined : await convert(job, direct, { accountId, templateKey, docx, standards });
  deps.metrics.directPdf(made === undefined ? 'fallback' : 'served');
  if (made === undefined) return undefined;
  const isChecked = isPageChecked(document.id, proof.checked, deps.config.DIRECT_PDF_PAGE_CHECKS);
  const pageCheck = isChecked ? { document, proof: of, docx, pdf: made.pdf } : undefined;
  return { ...made, warnings: [], engine: { name: directEngineName, version: thisRelease.version }, pageCheck };
}

/** The standards that a request asks for; undefined if only LibreOffice writes one of them. */
function standardsOf({ pdfOptions, filename }: ClaimedDocument): Standards | undefined {
  const archive = pdfOptions?.archive ?? undefined;
  if (archive === 'PDF/A-1b') return undefined;
  if (pdfOptions?.accessible !== true) return { archive };
  // The title that LibreOffice gets for a document without one.
  return { archive, accessible: { title: toDocumentName(filename).replace(/\.docx$/, '') } };
}

/**
 * Options other than standards, the watermark of test keys and an engine chosen by the request need LibreOffice. So do
 * templates that include others, because a proof covers a single version of a single file.
 */
function isPlainRequest({ pdfOptions = {}, isTest, includes }: ClaimedDocument): boolean {
  if (includes.length > 0) return false;
  const {
    engine = 'auto',
    archive: _archive,
    accessible: _accessible,
    onNonconformance: _reaction,
    ...options
  } = pdfOptions;
  return !isTest && engine === 'auto' && Object.values(options).every((value) => value === undefined || value === null);
}

interface Filled {
  readonly accountId: string;
  readonly templateKey: string;
  readonly docx: Uint8Array;
  readonly standards: Standards;
}

async function convert(job: JobRun, { pool }: DirectLayout, { accountId, templateKey, docx, standards }: Filled) {
  const request = { account: accountId, templateKey, addWorkMs: job.addWorkMs, docx, standards };
  try {
    const made = await pool.convert(request);
    if (made.kind === 'made') return { pdf: made.pdf, pages: made.pages, convertMs: made.convertMs };
    job.logger.debug({ reasons: made.reasons }, 'a document is laid out by LibreOffice instead');
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    job.logger.warn({ err: error }, 'direct layout is not available; using LibreOffice');
  }
  return undefined;
}

/** Compares a document with LibreOffice's pages in the background, unless too many others wait for it. */
export function startPageCheck(deps: WorkerDeps, job: JobRun, check: PageCheck): void {
  const { direct } = deps;
  if (direct?.pageChecks.add(() => checkPages(deps, job, direct.comparer, check)) === false)
    deps.metrics.pageCheck('skipped');
}

export interface Prover {
  /** Settles after the comparison in progress. */
  stop(): Promise<void>;
}

const pauseMs = 2_000;

/**
 * Compares waiting versions, one at a time and only while no caller waits. Its state is in PostgreSQL, so any number of
 * workers may run it, and another one takes over after a crash.
 */
export function startProver(deps: WorkerDeps, direct: DirectLayout): Prover {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const hadWork = await proveNext(deps, direct).catch((error: unknown) => {
        if (!signal.aborted)
          deps.logger.warn({ err: error }, 'the pages of a template could not be compared; trying again later');
        return false;
      });
      if (!hadWork) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
