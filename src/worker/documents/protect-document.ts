import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';
import { protectPdf } from '../pdf/protect/protect-pdf.ts';
import { isProtected } from '../pdf/protect/protection.ts';

/**
 * Encrypts the PDF with the requested password and permissions. Must be the last step, because later ones cannot read
 * the file.
 */
export async function protectDocument(
  deps: WorkerDeps,
  { pdfOptions }: Pick<ClaimedDocument, 'pdfOptions'>,
  pdf: Uint8Array,
): Promise<Uint8Array> {
  const protection = pdfOptions ?? {};
  if (!isProtected(protection)) return pdf;
  const timeoutMs = deps.config.CONVERT_TIMEOUT_MS;
  return deps.stages.time('protect', () => protectPdf(pdf, protection, { timeoutMs }));
}
