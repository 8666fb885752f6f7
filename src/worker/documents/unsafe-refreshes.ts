import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';

type TemplateVersion = Pick<ClaimedDocument, 'templateId' | 'templateVersion'>;

/**
 * How long to skip refreshing fields and indexes of a template version after the refresh crashed or hung LibreOffice.
 */
const rememberedSeconds = 7 * 24 * 3_600;

/**
 * Whether refreshing the fields and indexes of the template version has crashed or hung LibreOffice, in any worker. If
 * Redis loses the entry or is unavailable, the next document finds out again, at the cost of a slot.
 */
export async function isRefreshUnsafe(deps: WorkerDeps, template: TemplateVersion): Promise<boolean> {
  return await deps.redis.exists(keyOf(deps, template)).then(
    (count) => count === 1,
    () => false,
  );
}

export async function rememberUnsafeRefresh(deps: WorkerDeps, job: JobRun, template: TemplateVersion): Promise<void> {
  await deps.redis
    .set(keyOf(deps, template), '1', 'EX', rememberedSeconds)
    .catch((error: unknown) => job.logger.warn({ err: error }, 'an unsafe refresh could not be recorded'));
}

function keyOf({ config }: WorkerDeps, { templateId, templateVersion }: TemplateVersion): string {
  return `${config.QUEUE_PREFIX}:unsafe-refresh:${templateId}:${templateVersion}`;
}
