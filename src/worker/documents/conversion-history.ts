import {
  countConversionFailures,
  failuresToQuarantine,
  recordConversionFailure,
} from '../../shared/domain/conversion-failures.ts';
import { isClaimCurrent } from '../../shared/domain/documents/claim-document.ts';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { type DocumentInputs, fingerprintOf } from '../../shared/domain/documents/fingerprint.ts';
import { AppError } from '../../shared/errors.ts';
import { docxType } from '../../shared/storage/media-types.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import type { RefreshLost } from '../pdf/office/office-error.ts';
import { isRefreshUnsafe, rememberUnsafeRefresh } from './unsafe-refreshes.ts';

export const quarantinedMessage =
  'This template with this data cannot be converted to PDF: the converter failed twice. Change the template or the data, or request a .docx instead.';

/** Remembers documents that crashed or hung LibreOffice. */
export interface ConversionHistory {
  /** Whether refreshing the document's fields and indexes has crashed or hung LibreOffice. */
  isRefreshUnsafe(): Promise<boolean>;
  rememberUnsafeRefresh(error: RefreshLost): Promise<void>;
  /** Throws `document_quarantined` for a quarantined document. */
  refuseQuarantined(): Promise<void>;
  /** Called after the document waited long for a slot. Throws when converting it would be pointless. */
  refuseOutdated(): Promise<void>;
  /** Records that the document crashed or hung a slot. Returns true if it is now quarantined. */
  recordFailure(docx: Uint8Array, error: AppError): Promise<boolean>;
}

/** The history of a document with a row. It is kept in PostgreSQL, with the failed file for the operator. */
export function historyOf(deps: WorkerDeps, job: JobRun, document: ClaimedDocument): ConversionHistory {
  return {
    isRefreshUnsafe: () => isRefreshUnsafe(deps, document),
    async rememberUnsafeRefresh(error) {
      const { id, templateId, templateVersion } = document;
      const entry = { documentId: id, templateId, templateVersion, reason: error.code };
      job.logger.warn(entry, 'refreshing fields and indexes killed or hung a LibreOffice slot; converting without it');
      await rememberUnsafeRefresh(deps, job, document);
    },
    refuseQuarantined: () => refuseQuarantined(deps, document),
    refuseOutdated: () => refuseOutdated(deps, document),
    recordFailure: async (docx, error) =>
      (await recordFailure(deps, job, { document, docx, error })) >= failuresToQuarantine,
  };
}

/**
 * Refuses a document that ended, or failed under another id, while it waited for a slot: converting it would occupy the
 * slot for nothing. Throws `document_quarantined`, or an error that reaches no client, because the attempt is fenced
 * off.
 */
async function refuseOutdated(deps: WorkerDeps, document: ClaimedDocument): Promise<void> {
  if (!(await isClaimCurrent(deps.db, document)))
    throw new AppError('worker_lost', 'The document has ended, or another attempt has replaced this one.');
  await recordings.get(fingerprintOf(document))?.catch(() => undefined);
  await refuseQuarantined(deps, document);
}

/** Throws `document_quarantined` for a quarantined document. */
export async function refuseQuarantined(deps: WorkerDeps, document: DocumentInputs): Promise<void> {
  if ((await countConversionFailures(deps.db, fingerprintOf(document))) >= failuresToQuarantine)
    throw new AppError('document_quarantined', quarantinedMessage);
}

/** Failures that this worker is recording, by fingerprint. The next copy of the document waits for them. */
const recordings = new Map<string, Promise<number>>();

interface Failure {
  readonly document: ClaimedDocument;
  readonly docx: Uint8Array;
  readonly error: AppError;
}

async function recordFailure(deps: WorkerDeps, job: JobRun, failure: Failure): Promise<number> {
  const fingerprint = fingerprintOf(failure.document);
  const recording = storeFailure(deps, job, fingerprint, failure);
  recordings.set(fingerprint, recording);
  try {
    return await recording;
  } finally {
    if (recordings.get(fingerprint) === recording) recordings.delete(fingerprint);
  }
}

async function storeFailure(
  deps: WorkerDeps,
  job: JobRun,
  fingerprint: string,
  { document, docx, error }: Failure,
): Promise<number> {
  const { accountId, templateId, templateVersion } = document;
  // Every failure has its own key, so that removing the evidence of an earlier one cannot remove this one.
  const evidenceKey = `quarantine/${accountId}/${fingerprint}/${document.attemptToken}.docx`;
  const isKept = await deps.objects.put(evidenceKey, docx, docxType).then(
    () => true,
    () => false,
  );
  const failures = await recordConversionFailure(deps.db, {
    fingerprint,
    accountId,
    documentId: document.id,
    templateId,
    templateVersion,
    reason: error.code,
    evidenceKey: isKept ? evidenceKey : undefined,
    sizeBytes: docx.length,
  });
  if (failures === failuresToQuarantine) deps.metrics.quarantine();
  job.logger.warn(
    { documentId: document.id, fingerprint, failures, reason: error.code },
    'a document killed or hung a LibreOffice slot',
  );
  return failures;
}
