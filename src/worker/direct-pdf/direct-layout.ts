import { setTimeout as delay } from 'node:timers/promises';
import { toDocumentName } from '../../shared/document-name.ts';
import type { ClaimedProofState, DocumentEngine } from '../../shared/domain/documents/document-record.ts';
import { type ProofOf, requestProof } from '../../shared/domain/templates/layout-proofs.ts';
import { AppError } from '../../shared/errors.ts';
import { directEngineName } from '../../shared/pdf-engine.ts';
import { thisRelease } from '../../shared/this-release.ts';
import type { WorkerDeps } from '../deps.ts';
import type { FilledDocument, PrintedDocument } from '../documents/fill-template.ts';
import type { JobRun } from '../job-run.ts';
import type { DirectPdfOptions } from '../pdf/direct-process/messages.ts';
import { checkPages, isPageChecked, type PageCheck } from './check-pages.ts';
import { explainReason, officeReasons } from './explain-reason.ts';
import { proofKeyOf } from './layout-key.ts';
import type { DirectLayout } from './open-direct-layout.ts';
import { proveNext } from './prove-next.ts';

export type { PageCheck } from './check-pages.ts';

/** The version of a template that a document is made from, with the proofs of its pages. */
export interface ProvenVersion {
  readonly templateId: string;
  readonly version: number;
  readonly proofs: readonly ClaimedProofState[];
}

export interface DirectDocument {
  readonly kind: 'direct';
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly warnings: readonly [];
  readonly engine: DocumentEngine;
  readonly convertMs: number;
  readonly proof: PageCheck['proof'];
}

/** LibreOffice must lay out the document. The reasons are undefined if direct layout is turned off. */
export interface OfficeNeeded {
  readonly kind: 'office';
  readonly reasons: readonly string[] | undefined;
}

/**
 * Lays out a filled template without LibreOffice if its version is proven, with these included templates and fonts of
 * the account.
 */
export async function layOutDirectly(
  deps: WorkerDeps,
  job: JobRun,
  {
    document,
    filled,
    of,
  }: { readonly document: PrintedDocument; readonly filled: FilledDocument; readonly of: ProvenVersion },
): Promise<DirectDocument | OfficeNeeded> {
  const { direct } = deps;
  const engineKey = await direct?.key();
  if (direct === undefined) return officeNeeded(undefined);
  if (engineKey === undefined) return officeNeeded(officeReasons.fonts);
  const requested = requestedOptions(document);
  if ('reason' in requested) return officeNeeded(requested.reason);
  const { templateId, version, proofs } = of;
  const proof = { templateId, version, layoutKey: proofKeyOf(engineKey, document) };
  const known = proofs.find(({ layoutKey }) => layoutKey === proof.layoutKey);
  if (known?.state !== 'direct') {
    if (known === undefined) await request(deps, job, document.accountId, proof);
    return officeNeeded(known?.state === 'office' ? (known.reason ?? officeReasons.proof) : officeReasons.proving);
  }
  job.releasePermit?.();
  const made = await convert(job, direct, document, filled, requested);
  deps.metrics.directPdf(made.kind === 'made' ? 'served' : 'fallback');
  if (made.kind === 'office') return made;
  const { pdf, pages, convertMs } = made;
  const engine = { name: directEngineName, version: thisRelease.version };
  const proofUsed = { ...proof, checked: known.checked };
  return { kind: 'direct', pdf, pages, convertMs, warnings: [], engine, proof: proofUsed };
}

const officeNeeded = (reason: string | undefined): OfficeNeeded => ({
  kind: 'office',
  reasons: reason === undefined ? undefined : [reason],
});

/** The options for direct layout, or why only LibreOffice can carry out the request. */
function requestedOptions({ pdfOptions, filename }: PrintedDocument): DirectPdfOptions | { readonly reason: string } {
  const { engine = 'auto', archive, accessible, attachments, prepend, append } = pdfOptions ?? {};
  const { pages, watermark, imageQuality } = pdfOptions ?? {};
  if (engine !== 'auto') return { reason: officeReasons.requested };
  if ([attachments, prepend, append].some((files) => files !== undefined && files.length > 0))
    return { reason: officeReasons.files };
  const changes = [pages, watermark, imageQuality].some((option) => option !== undefined);
  const isConforming = archive !== undefined || accessible === true;
  if (!isConforming) return { pages, watermark, imageQuality };
  if (archive === 'PDF/A-1b' || changes) return { reason: officeReasons.conforming };
  // The same title that LibreOffice receives for a document without a title.
  const title = toDocumentName(filename).replace(/\.docx$/, '');
  return { standards: { archive, ...(accessible === true && { accessible: { title } }) } };
}

async function request(deps: WorkerDeps, job: JobRun, accountId: string, proof: ProofOf): Promise<void> {
  await requestProof(deps.db, accountId, proof).catch((error: unknown) =>
    job.logger.warn(
      { err: error },
      'the comparison of a template could not be requested; its next PDF requests it again',
    ),
  );
}

async function convert(
  job: JobRun,
  { pool }: DirectLayout,
  { accountId: account, templateObjectKey: templateKey }: PrintedDocument,
  { docx }: FilledDocument,
  options: DirectPdfOptions,
) {
  try {
    const made = await pool.convert({ account, templateKey, addWorkMs: job.addWorkMs, docx, options });
    if (made.kind === 'made') return made;
    job.logger.debug({ reasons: made.reasons }, 'a document is laid out by LibreOffice instead');
    return { kind: 'office', reasons: made.reasons.map(explainReason) } as const;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    job.logger.warn({ err: error }, 'direct layout is not available; using LibreOffice');
    return officeNeeded(officeReasons.unavailable);
  }
}

/**
 * Compares a document with LibreOffice's pages in the background if it is in the share that is compared, unless too
 * many documents already wait for a comparison.
 */
export function startPageCheck(deps: WorkerDeps, job: JobRun, check: PageCheck): void {
  const { direct, config } = deps;
  if (!isPageChecked(check.document.id, check.proof.checked, config.DIRECT_PDF_PAGE_CHECKS)) return;
  if (direct?.pageChecks.add(() => checkPages(deps, job, direct, check)) === false) deps.metrics.pageCheck('skipped');
}

export interface Prover {
  /** Ends the comparison in progress after its current document; another worker begins it again. */
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
      const hadWork = await proveNext(deps, direct, signal).catch((error: unknown) => {
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
