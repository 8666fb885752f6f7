import { findPurgeableTemplates, purgeTemplate } from '../../shared/domain/templates/purge-templates.ts';
import type { WorkerDeps } from '../context.ts';
import { forEach } from './for-each.ts';

const batchSize = 100;

/** Removes the files of deleted templates that no unfinished document needs. */
export async function purgeTemplates(deps: WorkerDeps): Promise<void> {
  const purgeable = await findPurgeableTemplates(deps.db, batchSize);
  const rows = purgeable.map(({ templateId, objectKeys }) => ({ id: templateId, objectKeys }));
  await forEach(deps, rows, async ({ id, objectKeys }) => {
    await deps.objects.remove(objectKeys);
    await purgeTemplate(deps.db, id);
  });
}
