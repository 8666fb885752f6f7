import { findPurgeableTemplates, purgeTemplate } from '../../shared/domain/templates/purge-templates.ts';
import type { WorkerDeps } from '../context.ts';

const batchSize = 100;

/** Removes the files of deleted templates that no unfinished document needs. */
export async function purgeTemplates(deps: WorkerDeps): Promise<void> {
  for (const { templateId, objectKeys } of await findPurgeableTemplates(deps.db, batchSize)) {
    await deps.objects.remove(objectKeys);
    await purgeTemplate(deps.db, templateId);
  }
}
