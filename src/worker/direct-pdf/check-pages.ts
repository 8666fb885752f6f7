import { hash } from 'node:crypto';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { countPageCheck, type ProofOf, revertProof } from '../../shared/domain/templates/layout-proofs.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import type { Comparer } from '../pdf/compare/comparer.ts';
import { convertByOffice } from './convert-by-office.ts';
import { describeDifference } from './describe-difference.ts';

/** The number of first documents of a version that are all compared. */
const firstDocuments = 10;

/**
 * Whether a document is in the share (0 to 1) that is compared. The id decides, so that a repeated job gets the same
 * result.
 */
export function isPageChecked(documentId: string, checked: number, share: number): boolean {
  if (share === 0) return false;
  if (checked < firstDocuments) return true;
  return Number.parseInt(hash('sha256', documentId, 'hex').slice(0, 8), 16) / 2 ** 32 < share;
}

export interface PageCheck {
  readonly document: ClaimedDocument;
  readonly proof: ProofOf;
  readonly docx: Uint8Array;
  /** The PDF as laid out directly. */
  readonly pdf: Uint8Array;
}

/**
 * Compares a document that was laid out directly with LibreOffice's PDF. After a difference, LibreOffice lays out the
 * version again. Throws when the PDFs cannot be compared.
 */
export async function checkPages(
  deps: WorkerDeps,
  job: JobRun,
  comparer: Comparer,
  { document, proof, docx, pdf }: PageCheck,
): Promise<void> {
  const { id: documentId, templateId, templateVersion } = document;
  try {
    // The pages are the same whatever standards the file follows, so their tags need not be completed.
    const plain = { ...document, pdfOptions: undefined };
    const { differences } = await comparer.compare(await convertByOffice(deps, job, plain, docx), pdf);
    const [first] = differences;
    if (first === undefined) {
      await countPageCheck(deps.db, proof);
      deps.metrics.pageCheck('equal');
      return;
    }
    const reason = `A document differs from LibreOffice's: ${describeDifference(first)}.`;
    const isFirst = await revertProof(deps.db, proof, { documentId, differences, reason });
    deps.metrics.pageCheck('different');
    const entry = { documentId, templateId, templateVersion, differences, isFirst };
    job.logger.error(entry, 'a directly laid out document differs; its template is laid out by LibreOffice again');
  } catch (error) {
    deps.metrics.pageCheck('failed');
    throw error;
  }
}
