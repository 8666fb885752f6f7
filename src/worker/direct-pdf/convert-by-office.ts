import type { WorkerDeps } from '../deps.ts';
import type { ConversionHistory } from '../documents/conversion-history.ts';
import { type Conversion, convertDocument } from '../documents/convert-document.ts';
import type { PrintedDocument } from '../documents/fill-template.ts';
import type { JobRun } from '../job-run.ts';

/** A crash during a comparison counts neither against the template nor against the document. */
const noHistory: ConversionHistory = {
  isRefreshUnsafe: async () => false,
  rememberUnsafeRefresh: async () => undefined,
  refuseQuarantined: async () => undefined,
  refuseOutdated: async () => undefined,
  recordFailure: async () => false,
};

/** A filled template with the account's fonts. */
export type FilledForOffice = Conversion['filled'];

/** Converts a filled template with LibreOffice, like a caller's document, for a comparison. Throws `AppError`. */
export async function convertByOffice(
  deps: WorkerDeps,
  job: JobRun,
  document: PrintedDocument,
  filled: FilledForOffice,
): Promise<Uint8Array> {
  const conversion = { document, filled, history: noHistory };
  const { pdf } = await convertDocument(deps, job, conversion);
  return pdf;
}
