import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';

type TemplateVersion = Pick<ClaimedDocument, 'templateId' | 'templateVersion'>;

/** How long a template version whose fields and indexes crash or hang LibreOffice is converted without refreshing them. */
const rememberedSeconds = 7 * 24 * 3_600;

/**
 * Whether refreshing the fields and indexes of the template version has crashed or hung LibreOffice, in any worker. Redis
 * may forget it, or be away: the next document finds out again, at the cost of a slot.
 */
export async function isRefreshUnsafe(deps: WorkerDeps, template: TemplateVersion): Promise<boolean> {
  return await deps.redis.exists(keyOf(deps, template)).then(
    (count) => count === 1,
    () => false,
  );
}

export async function rememberUnsafeRefresh(deps: WorkerDeps, template: TemplateVersion): Promise<void> {
  await deps.redis
    .set(keyOf(deps, template), '1', 'EX', rememberedSeconds)
    .catch((error: unknown) => deps.logger.warn({ err: error }, 'an unsafe refresh was not remembered'));
}

function keyOf({ config }: WorkerDeps, { templateId, templateVersion }: TemplateVersion): string {
  return `${config.QUEUE_PREFIX}:unsafe-refresh:${templateId}:${templateVersion}`;
}
