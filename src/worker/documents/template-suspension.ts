import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { forgetTemplateFailures, recordTemplateFailure } from '../../shared/domain/template-failures.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';

/** Throws `template_suspended` while too many documents of the template have hung or crashed an engine. */
export function refuseSuspended({ templateSuspendedMs = 0 }: ClaimedDocument): void {
  if (templateSuspendedMs <= 0) return;
  const until = new Date(Date.now() + templateSuspendedMs).toISOString();
  throw new AppError(
    'template_suspended',
    `This template is suspended until ${until}: its last documents took too long, needed too much memory or crashed the converter. Try again then with less data, or upload a simpler version of the template, which is not suspended.`,
  );
}

/**
 * Counts a failed document against its template. A repeated document is quarantined instead, so that it does not
 * suspend the template for others. The count is only a precaution: if it cannot be updated, the document ends as usual.
 */
export async function recordFailure(
  deps: WorkerDeps,
  { logger }: JobRun,
  document: ClaimedDocument,
  error: AppError,
): Promise<void> {
  const { id, accountId, templateId, templateVersion } = document;
  const failure = { accountId, templateId, templateVersion, documentId: id, reason: error.code };
  const isSuspended = await recordTemplateFailure(deps.db, failure).catch((cause: unknown) => {
    logger.warn({ err: cause }, 'a failure of a template was not counted');
    return false;
  });
  if (!isSuspended) return;
  deps.metrics.suspension();
  logger.warn({ templateId, templateVersion, reason: error.code }, 'a template was suspended');
}

/** Resets the count after a document that succeeded. */
export async function forgetFailures(
  { db }: WorkerDeps,
  { logger }: JobRun,
  { templateId, templateVersion, templateSuspendedMs }: ClaimedDocument,
): Promise<void> {
  if (templateSuspendedMs === undefined) return;
  await forgetTemplateFailures(db, templateId, templateVersion).catch((error: unknown) =>
    logger.warn({ err: error }, 'the failures of a template were not reset'),
  );
}
