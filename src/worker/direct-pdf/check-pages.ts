import { hash } from 'node:crypto';
import type { ClaimedDocument, ClaimedProofState } from '../../shared/domain/documents/document-record.ts';
import { countPageCheck, type ProofOf, revertProof } from '../../shared/domain/templates/layout-proofs.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { convertByOffice, type FilledForOffice } from './convert-by-office.ts';
import { describeDifference } from './describe-difference.ts';
import type { DirectLayout } from './open-direct-layout.ts';

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
  /** The proof, with the number of documents that were already compared. */
  readonly proof: ProofOf & Pick<ClaimedProofState, 'checked'>;
  readonly filled: FilledForOffice;
}

/**
 * Compares a document that was laid out directly with LibreOffice's PDF. After a difference, LibreOffice lays out the
 * version again. Throws when the PDFs cannot be compared.
 */
export async function checkPages(
  deps: WorkerDeps,
  job: JobRun,
  { comparer, pool }: Pick<DirectLayout, 'comparer' | 'pool'>,
  { document: requested, proof, filled }: PageCheck,
): Promise<void> {
  const { id: documentId, accountId: account, templateId, templateVersion } = requested;
  // The options of the request change how the pages look, but not where their text is.
  const document = { ...requested, pdfOptions: undefined };
  try {
    const laidOut = await pool.convert({ account, templateKey: document.templateObjectKey, docx: filled.docx });
    if (laidOut.kind !== 'made') throw new Error(`the document could not be laid out again: ${laidOut.reasons[0]}`);
    const { differences } = await comparer.compare(await convertByOffice(deps, job, document, filled), laidOut.pdf);
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
