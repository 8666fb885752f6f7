import { required, type WorkerDeps } from '../deps.ts';
import type { ConversionHistory } from '../documents/conversion-history.ts';
import { convertDocument } from '../documents/convert-document.ts';
import type { PrintedDocument } from '../documents/printed-document.ts';

/** A comparison counts neither against a template nor against a document. */
const noHistory: ConversionHistory = {
  isRefreshUnsafe: async () => false,
  rememberUnsafeRefresh: async () => undefined,
  refuseQuarantined: async () => undefined,
  refuseOutdated: async () => undefined,
  recordFailure: async () => false,
};

/** The PDF of a filled template by LibreOffice, as a document of a caller would be, to compare with. Throws `AppError`. */
export async function convertByOffice(
  deps: WorkerDeps,
  document: PrintedDocument,
  docx: Uint8Array,
): Promise<Uint8Array> {
  const { pdf } = await convertDocument(deps, required(deps.office, 'office'), document, noHistory, docx);
  return pdf;
}
